import assert from "node:assert/strict"
import { test } from "node:test"

import { stepped } from "../../../static/js/series/rows.js"

test("the first step chooses the first row, whichever way it goes", () => {
  assert.deepEqual([stepped(-1, 1, 5), stepped(-1, -1, 5)], [0, 0])
})

test("steps stop at both ends of the list", () => {
  assert.deepEqual([stepped(0, -1, 5), stepped(3, 1, 5), stepped(4, 1, 5)], [0, 4, 4])
})
