import assert from "node:assert/strict"
import { test } from "node:test"

import { formatWhole } from "../../../static/js/shared/format.js"
import { answerWords, answerAt, answerChanges } from "../../../static/js/series_page/online.js"

const changes = answerChanges("104:15 119:-1 134:1200")

test("the answer so far is that of the last change before", () => {
  assert.deepEqual([0, 103, 104, 118, 119, 134, 9999].map((t) => answerAt(changes, t)), [null, null, 15, 15, -1, 1200, 1200])
})

test("a method that never answered knows nothing", () => {
  assert.equal(answerAt(answerChanges(""), 5), null)
})

test("answers are written as the table writes them", () => {
  assert.deepEqual([null, -1, 15, 1200].map(answerWords), ["–", "never", "15", formatWhole(1200)])
})
