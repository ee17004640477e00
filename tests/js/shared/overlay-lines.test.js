import assert from "node:assert/strict"
import { test } from "node:test"

import { compareCells, first, meant } from "../../../static/js/shared/overlay-lines.js"

const entries = [
  { id: "truth", verdict: "", hasLine: true },
  { id: "kb", verdict: "agrees", hasLine: true },
  { id: "tt", verdict: "late", hasLine: true },
  { id: "cp", verdict: "missed", hasLine: false },
]

test("words mean the lines that there are", () => {
  assert.deepEqual([...meant("all", entries)], ["truth", "kb", "tt"])
  assert.deepEqual([...meant("none", entries)], [])
  assert.deepEqual([...meant("agreeing", entries)], ["truth", "kb"])
  assert.deepEqual([...meant("differing", entries)], ["truth", "tt"])
})

test("an address wins over what was chosen before, and keeps the yardstick", () => {
  assert.deepEqual([...first(["tt"], ["tt"], entries)], ["truth", "tt"])
  assert.deepEqual([...first([], ["tt"], entries)], ["truth", "kb"])
  assert.deepEqual([...first([], null, entries)], ["truth", "kb", "tt"])
})

test("cells sort by size, words by letter, nothing last either way", () => {
  const sorted = (cells, way) => [...cells].sort((a, b) => compareCells(a, b, way))
  assert.deepEqual(sorted(["10", "", "9", "-3"], 1), ["-3", "9", "10", ""])
  assert.deepEqual(sorted(["10", "", "9", "-3"], -1), ["10", "9", "-3", ""])
  assert.deepEqual(sorted(["late", "agrees"], 1), ["agrees", "late"])
})
