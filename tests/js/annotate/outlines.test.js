// Keys between outlines.
import assert from "node:assert/strict"
import { test } from "node:test"

import { caughtUp, columnsOf, neighbour } from "../../../static/js/annotate/outlines.js"

// Seven outlines, three in a row: 0 1 2 / 3 4 5 / 6
for (const [action, at, to] of [
  ["left", 4, 3], ["right", 4, 5], ["up", 4, 1], ["down", 3, 6], ["down", 4, 4], ["up", 1, 1],
  ["left", 0, 0], ["right", 6, 6], ["right", 2, 3], ["first", 5, 0], ["last", 0, 6], ["other", 2, 2],
])
  test(`${action} of ${at} is ${to}`, () => {
    assert.equal(neighbour(action, at, 7, 3), to)
  })

test("a row ends where the next top begins", () => {
  assert.deepEqual([[], [5], [5, 5], [5, 5, 5, 60]].map(columnsOf), [0, 1, 2, 3])
})

test("ticks made while the server answered count", () => {
  assert.deepEqual([...caughtUp("a b", new Map([["b", false], ["c", true]]))], ["a", "c"])
  assert.deepEqual([...caughtUp("", new Map())], [])
})
