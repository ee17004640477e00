import assert from "node:assert/strict"
import { test } from "node:test"

import { announcer } from "../../../static/js/shared/announcer.js"
import { csvText } from "../../../static/js/chart/download.js"
import { rowsOf } from "../../../static/js/chart/evidence-table.js"
import { curveRange, strokes, formatValue } from "../../../static/js/chart/panels.js"
import { cutSentence, readout, spoken } from "../../../static/js/chart/readout.js"
import { titleOf, triangles, uprights } from "../../../static/js/chart/scene.js"
import { within } from "../../../static/js/chart/decimate.js"
import { span, steps } from "../../../static/js/chart/loupe.js"
import { neighbour } from "../../../static/js/shared/rows.js"
import { draggedWindow, path, paths } from "../../../static/js/chart/overview.js"

const plain = (text) => text.replaceAll("\u00a0", " ")
const itself = (x) => x

test("the readout names iteration, value and distance from the median", () => {
  const at = { index: 1204, value: 8.66e-6, n: 3000, unit: "s", median: 8.5e-6 }

  assert.deepEqual(readout(at).map(plain), ["iteration 1204", "8.660 µs", "1.9 % above the median of the last half"])
  assert.deepEqual(readout({ ...at, median: undefined }).length, 2)
  assert.deepEqual(readout({ ...at, hideValues: true }), ["iteration 1204"])
  assert.deepEqual(readout({ ...at, index: null }), ["3000 iterations"])
})

test("what the range cuts off is a sentence, short where there is no room", () => {
  const cut = { above: Array(12).fill(0), below: [], highest: { index: 17, value: 4.21 }, lowest: null }
  const series = { scale: 1e-3, unit: "s", exact: true }
  const one = { ...cut, above: [17] }

  assert.equal(plain(cutSentence(cut, { ...series, size: "long" })), "12 values above the view, highest 4.210 ms at iteration 17")
  assert.equal(plain(cutSentence(one, { ...series, size: "middle" })), "1 value above the view, 4.210 ms at iteration 17")
  assert.equal(cutSentence(cut, { ...series, size: "middle" }), "12 values above the view")
  assert.equal(cutSentence(cut, { ...series, size: "short", exact: false }), "≥ 12 above")
  assert.equal(cutSentence(cut, { ...series, size: "long", hideValues: true }), "12 values above the view, highest at iteration 17")
  assert.equal(cutSentence({ above: [], below: [], highest: null, lowest: null }, { ...series, size: "long" }), "")
})

test("the cursor is spoken against the mark", () => {
  assert.equal(spoken(10, ["iteration 10", "5 ms", "far"], 12), "iteration 10, 5 ms, 2 before the mark")
  assert.equal(spoken(12, ["iteration 12"], 12), "iteration 12, at the mark")
  assert.equal(spoken(12, ["iteration 12", "5 ms"], null), "iteration 12, 5 ms")
})

test("an announcer waits for the keys to rest and says one thing a second", () => {
  const region = { textContent: "" }
  let clock = 0
  let waiting = null
  const say = announcer(region, { now: () => clock, later: (act, ms) => (waiting = { act, ms }), cancel: () => (waiting = null) })

  say("one")
  say("two")
  assert.equal(waiting.ms, 250)
  clock = 250
  waiting.act()
  say("three")

  assert.deepEqual([region.textContent, waiting.ms], ["two", 1000])
})

test("triangles at the edge merge within three pixels", () => {
  assert.equal(triangles([10, 11, 12.5, 14], 100, 1), "M7 106h6l-3 -6zM11 106h6l-3 -6z")
  assert.equal(triangles([10], 200, -1), "M7 194h6l-3 6z")
})

test("the y-axis says what it shows, and no unit where figures are hidden", () => {
  assert.equal(titleOf({ quantity: "time per operation", unit: "s" }, "ns"), "time per operation (ns)")
  assert.equal(titleOf({ quantity: "", unit: "op/s" }, "Mop/s"), "value (Mop/s)")
  assert.equal(titleOf({ quantity: "", unit: "s", hideValues: true }, "ns"), "time per iteration")
})

test("points of a window leave the neighbours out", () => {
  assert.deepEqual(within({ x: [9, 10, 11, 12], y: [1, 2, 3, 4] }, [10, 12]), { x: [10, 11], y: [2, 3] })
  assert.deepEqual(within({ x: [9, 12], y: [1, 4] }, [10, 12]), { x: [9, 12], y: [1, 4] })
})

test("a curve breaks where it has no value, and steps where it keeps one", () => {
  assert.equal(strokes([1, 2, null, 4], null, "line", itself, itself), "M0 1L1 2M3 4")
  assert.equal(strokes([1, 2], [5, 9], "steps", itself, itself), "M5 1H9V2")
  assert.deepEqual([curveRange([0.2, 0.97, null], 0.95), curveRange([], null)], [[0, 1], [0, 1]])
  assert.deepEqual(curveRange([10, 20], 30), [9, 31])
})

test("figures of evidence have a prefix where their unit takes one", () => {
  assert.deepEqual([formatValue(1.5e-5, "s"), formatValue(2.5e6, "op/s"), formatValue(0.0123456789, ""), formatValue(1.5e-7, ""), formatValue(70, "iterations"), formatValue(0, "")].map(plain), ["15.00 µs", "2.500 Mop/s", "0.0123457", "1.5·10⁻⁷", "70 iterations", "0"])
})

test("events are lines through the plot, one a pixel", () => {
  assert.equal(uprights([10.2, 9.9, 30], 20, 300), "M10 20v300M30 20v300")
})

test("evidence is also a table", () => {
  assert.deepEqual(rowsOf({ kind: "curve", y: [1, null, 3], x: [0, 30, 60], unit: "" }), { head: ["iteration", "value"], rows: [[0, 1], [60, 3]] })
  assert.deepEqual(rowsOf({ kind: "bands", spans: [[0, 10]], notes: ["warm"] }), { head: ["first", "last", "note"], rows: [[0, 9, "warm"]] })
  assert.deepEqual(rowsOf({ kind: "events", at: [3], notes: [] }).rows, [[3]])
})

test("the loupe shows forty iterations on each side, within the series", () => {
  assert.deepEqual(span(192, 3000, 648), { first: 152, last: 232 })
  assert.deepEqual([span(0, 3000, 648), span(2999, 3000, 648), span(3, 10, 648)], [{ first: 0, last: 80 }, { first: 2919, last: 2999 }, { first: 0, last: 9 }])
  assert.deepEqual(span(100, 3000, 168), { first: 90, last: 110 })
  assert.deepEqual(span(100, 3000, 80), { first: 93, last: 107 })
  assert.equal(steps([5, 7], 10, itself, itself), "M9.5 5H10.5V7H11.5")
})

test("the frame of the overview is dragged, and pulled by its ends", () => {
  assert.deepEqual([draggedWindow([100, 200], "frame", -150, 3000), draggedWindow([100, 200], "from", 95, 3000), draggedWindow([100, 200], "to", 5000, 3000)], [[0, 100], [180, 200], [100, 3000]])
  assert.equal(path({ x: [0, 1], y: [0, 10] }, { n: 2, width: 100, height: 44, range: [0, 10] }), "M25 42L75 2")
})

test("what is drawn of many values are figures, and the file says which", () => {
  const bands = { x: [4.5], quantiles: [[2], [3], [4], [5], [6]] }

  assert.deepEqual(csvText({ x: [1, 7], y: [9, 1], bands }, 2).split("\r\n"), ["iteration,value,figure", "1,18,extreme", "7,2,extreme", "4.5,4,p5", "4.5,6,p25", "4.5,8,median", "4.5,10,p75", "4.5,12,p95", ""])
  assert.deepEqual(paths({ x: [1, 7], y: [9, 1], bands }, { n: 10, width: 100, height: 44, range: [0, 10] }), { line: "M50 26", band: "M50 18L50 34z" })
})

test("what is drawn can be taken away as CSV, in the series' unit", () => {
  assert.equal(csvText({ x: [0, 1], y: [0.5, 1.2345678] }, 0.001), "iteration,value\r\n0,0.0005\r\n1,0.001234568\r\n")
})

test("j starts at the first row, k at the last, and neither leaves the list", () => {
  assert.deepEqual([neighbour(-1, 1, 5), neighbour(-1, -1, 5), neighbour(4, 1, 5), neighbour(2, -1, 5)], [0, 4, 4, 1])
})
