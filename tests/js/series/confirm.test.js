import assert from "node:assert/strict"
import { test } from "node:test"

import { chosenSeries, target } from "../../../static/js/series/confirm.js"

test("where files go is said with names at every other place", () => {
  assert.deepEqual(target(true, "Nightly", "week 47"),
    ["New data set ", "Nightly", ", recording ", "week 47", "."])
  assert.deepEqual(target(false, "Nightly", ""),
    ["Data set ", "Nightly", ", a recording for each file."])
  assert.equal(target(true, "", "")[1], "without a name")
})

test("the series of the chosen files are added up", () => {
  const boxes = [[true, "12"], [false, "6"], [true, "4"]]
    .map(([checked, series]) => ({ checked, dataset: { series } }))
  assert.equal(chosenSeries(boxes), 16)
  assert.equal(chosenSeries([]), 0)
})
