import assert from "node:assert/strict"
import { test } from "node:test"

import { isEmpty, openOf } from "../../../static/js/chart/evidence.js"

const keys = ["a", "b", "c", "d", "e"]

test("three drawings are open at most, the first ones at first", () => {
  assert.deepEqual([...openOf(keys, [], new Set())], ["a", "b", "c"])
})

test("what was asked for last is open, and stays where others make room", () => {
  assert.deepEqual([...openOf(keys, ["d"], new Set())], ["d", "a", "b"])
  assert.deepEqual([...openOf(keys, ["e", "d", "gone"], new Set(["a"]))], ["e", "d", "b"])
})

test("what was closed stays closed", () => {
  assert.deepEqual([...openOf(["a", "b"], [], new Set(["a"]))], ["b"])
})

test("nothing found is said, not drawn", () => {
  assert.ok(isEmpty({ kind: "events", at: [], label: "outliers" }))
  assert.ok(isEmpty({ kind: "bands", spans: [], label: "windows" }))
  assert.ok(!isEmpty({ kind: "curve", y: [1], label: "p" }))
})
