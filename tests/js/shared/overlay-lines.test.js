import assert from "node:assert/strict"
import { test } from "node:test"

import {
  compareCells, reducedLines, linesAtFirst, linesNamed, mostLines, sameLines, withLine,
} from "../../../static/js/shared/overlay-lines.js"

const entries = [
  { id: "truth", verdict: "", hasLine: true },
  { id: "kb", verdict: "agrees", hasLine: true },
  { id: "tt", verdict: "late", hasLine: true },
  { id: "cp", verdict: "missed", hasLine: false },
]

test("words mean the lines that there are", () => {
  assert.deepEqual([...linesNamed("all", entries)], ["truth", "kb", "tt"])
  assert.deepEqual([...linesNamed("none", entries)], ["truth"])
  assert.deepEqual([...linesNamed("agreeing", entries)], ["truth", "kb"])
  assert.deepEqual([...linesNamed("differing", entries)], ["truth", "tt"])
})

test("an address wins over what was chosen before, that over the page's own lines", () => {
  const shown = (...how) => [...linesAtFirst(...how, entries)]

  assert.deepEqual(shown(["tt"], ["kb"], []), ["truth", "tt"])
  assert.deepEqual(shown([], ["kb"], ["tt"]), ["truth", "kb"])
  assert.deepEqual(shown([], [], ["tt"]), ["truth"]) // none, on the next series, too
  assert.deepEqual(shown([], "all", ["tt"]), ["truth", "kb", "tt"])
  assert.deepEqual(shown([], null, ["tt"]), ["truth", "tt"])
})

test("a line more takes the place of the oldest, never of the yardstick", () => {
  const full = new Set(["truth", "a", "b"])

  assert.deepEqual([...withLine(full, "c", 2)], ["truth", "b", "c"])
  assert.deepEqual([...withLine(full, "a", 2)], ["truth", "b", "a"])
  assert.deepEqual([...withLine(full, "c", 3)], ["truth", "a", "b", "c"])
})

test("a phone begins with three lines: two of those in front, and the last one", () => {
  const five = ["truth", "a", "b", "c", "d", "e"]

  assert.deepEqual([mostLines(false), mostLines(true)], [5, 3])
  assert.deepEqual(reducedLines(five, 5), ["a", "b", "c", "d", "e"])
  assert.deepEqual(reducedLines(five, 3), ["a", "b", "e"])
  assert.deepEqual(reducedLines(["truth", "a", "b", "c"], 3), ["a", "b", "c"])
  assert.deepEqual([reducedLines(["truth"], 3), reducedLines([], 3)], [[], []])
})

test("the same lines are the same in any order", () => {
  const lines = new Set(["truth", "a", "b"])

  assert.ok(sameLines(lines, new Set(["b", "truth", "a"])))
  assert.ok(!sameLines(lines, new Set(["truth", "a", "c"])))
  assert.ok(!sameLines(lines, new Set(["truth", "a", "b", "c"])))
})

test("cells sort by size, words by letter, nothing last either way", () => {
  const sorted = (cells, way) => [...cells].sort((a, b) => compareCells(a, b, way))
  assert.deepEqual(sorted(["10", "", "9", "-3"], 1), ["-3", "9", "10", ""])
  assert.deepEqual(sorted(["10", "", "9", "-3"], -1), ["10", "9", "-3", ""])
  assert.deepEqual(sorted(["late", "agrees"], 1), ["agrees", "late"])
})
