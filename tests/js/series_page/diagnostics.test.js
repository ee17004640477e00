import assert from "node:assert/strict"
import { test } from "node:test"

import { iterationAt } from "../../../static/js/series_page/diagnostics.js"

const known = { start: 100, count: 901, latest: 991 }

test("a place of the run sequence is an iteration of the series", () => {
  assert.equal(iterationAt(0, known), 100)
  assert.equal(iterationAt(0.5, known), 550)
})

test("the cut stays inside and leaves enough values", () => {
  assert.equal(iterationAt(-3, known), 100)
  assert.equal(iterationAt(1, known), 991)
  assert.equal(iterationAt(0.5, { start: 100, count: 10, latest: 100 }), 100)
})
