// A number between a minus and a plus.
import assert from "node:assert/strict"
import { test } from "node:test"

import { textAfterStep } from "../../../static/js/annotate/stepper.js"

for (const [text, by, top, to] of [
  ["", -1, 5, "5"], ["", 1, 5, ""], ["5", 1, 5, ""], ["4", 1, 5, "5"], ["1", -1, 5, "1"],
  ["12", 10, 396, "20"], ["12", -10, 396, "10"], ["10", -10, 396, "1"], ["390", 10, 396, ""],
  ["", -10, 396, "396"], ["396", -10, 396, "390"], ["7", -1, 5, "5"], ["x", 1, 5, "x"],
])
  test(`${text || "all"} ${by > 0 ? "plus" : "minus"} ${Math.abs(by)} of ${top} is ${to || "all"}`, () => {
    assert.equal(textAfterStep(text, by, top), to)
  })
