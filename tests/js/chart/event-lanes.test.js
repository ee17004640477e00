import assert from "node:assert/strict"
import { test } from "node:test"

import { spanPath } from "../../../static/js/chart/event-lanes.js"

// 100 iterations on 50 pixels: iteration i begins at i / 2.
const px = (x) => (x + 0.5) / 2
const spans = [[0, 1], [10, 14], [90, 100]]

test("a span is a pixel wide at least", () => {
  assert.equal(spanPath(spans, [0, 100], px, 9), "M0 0h1v9H0zM5 0h2v9H5zM45 0h5v9H45z")
})

test("many spans within one pixel fill that pixel alone", () => {
  const tenth = (x) => (x + 0.5) / 10
  const every = Array.from({ length: 4 }, (_, at) => [20 + 2 * at, 21 + 2 * at])

  assert.equal(spanPath(every, [0, 100], tenth, 9), "M2 0h1v9H2z")
})

test("only what is in view is drawn", () => {
  assert.equal(spanPath(spans, [14, 90], px, 9), "")
  assert.equal(spanPath(spans, [13, 20], px, 9), "M5 0h2v9H5z")
})
