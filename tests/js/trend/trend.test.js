import assert from "node:assert/strict"
import { test } from "node:test"

import { figure, labelled, rangeOf, readout, rings, steps } from "../../../static/js/trend/page.js"

const trend = {
  unit: "s",
  dated: true,
  x: ["2026-03-01 02:00", "2026-03-02 02:00", "2026-03-03 02:00"],
  results: [1, 1.02, 1.5],
  labels: ["night 1", "night 2", "night 3 (b3)"],
  groups: [[0, 2, 1.01], [2, 3, 1.5]],
  jumps: [{ at: 2, kind: "regression", small: false, words: "regression, one recording so far" }],
  best: 0.9,
}

test("a step reaches from the first to the last dot of its group", () => {
  const { x, y } = steps(trend)
  assert.deepEqual(x, [trend.x[0], trend.x[1], null, trend.x[2], trend.x[2], null])
  assert.deepEqual(y, [1.01, 1.01, null, 1.5, 1.5, null])
})

test("rings stand at the first dot of a new level, small ones for what does not count", () => {
  assert.deepEqual(rings(trend, "regression"), { x: [trend.x[2]], y: [1.5], sizes: [14] })
  assert.deepEqual(rings(trend, "progression"), { x: [], y: [], sizes: [] })
  const small = { ...trend, jumps: [{ ...trend.jumps[0], small: true }] }
  assert.deepEqual(rings(small, "regression").sizes, [9])
})

test("all dots and the best are in view, ten thousand too", () => {
  assert.deepEqual(rangeOf(trend).map((v) => v.toFixed(2)), ["0.87", "1.53"])
  const many = { ...trend, results: Array.from({ length: 200_000 }, (_, i) => i), best: null }
  assert.ok(rangeOf(many)[1] > 199_999)
})

test("labels stand where there is room", () => {
  assert.deepEqual(labelled(["a", "b", "c", "d"], 220).tickvals, [0, 2])
  assert.deepEqual(labelled(["a very long label of a build"], 220).ticktext, ["a very long l…"])
})

test("a dot says its recording, result, trend and change", () => {
  assert.equal(readout(trend, 2), "night 3 (b3), 2026-03-03 02:00: 1.500\u00a0s, trend 1.500\u00a0s · regression, one recording so far")
  assert.equal(readout({ ...trend, dated: false }, 0), "night 1: 1.000\u00a0s, trend 1.010\u00a0s")
})

test("a phone scrolls the page, a wide window zooms the chart", () => {
  const colour = (name) => name
  assert.equal(figure(trend, { width: 360, height: 260 }, colour).layout.dragmode, false)
  const wide = figure(trend, { width: 1200, height: 320 }, colour)
  assert.equal(wide.layout.dragmode, "zoom")
  assert.equal(wide.data[3].marker.color, "regression")
  assert.equal(wide.layout.shapes[0].y0, 0.9)
})
