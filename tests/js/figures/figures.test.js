import assert from "node:assert/strict"
import { test } from "node:test"

import { coloured } from "../../../static/js/figures/colours.js"
import { addressOf, fitting, fittingShapes, raisedBy } from "../../../static/js/figures/drawn-figure.js"
import { csvOf } from "../../../static/js/figures/files.js"
import { windowOf } from "../../../static/js/figures/zooming.js"
import { raised } from "../../../static/js/figures/raising.js"
import { unpackTable } from "../../../static/js/figures/tables.js"

const curve = (name, color) => ({ legendgroup: name, line: { color, width: 1.5, dash: "solid" } })
const figure = {
  data: [
    { meta: { leads: ["a", "b"] }, x: [1, 2, null, 1, 2, null], y: [5, 6, null, 7, 8, null], line: { color: "grey" } },
    { ids: ["a", "b"], mode: "markers+text", text: ["A", "B"], marker: { color: ["red", "blue"] }, textfont: { color: ["ink", "ink"] } },
    curve("a", "red"), curve("b", "blue"),
  ],
  layout: {},
}

test("a raised method lies above the others on a halo, with its label and its line to it", () => {
  const { data } = raised(figure, "b")

  assert.deepEqual(data.map((trace) => [trace.legendgroup ?? "", trace.line?.color ?? "", trace.line?.width ?? 0]), [
    ["", "grey", 0], ["", "blue", 0], ["", "", 0], ["a", "var(--rule)", 1], ["b", "var(--bg)", 6], ["b", "blue", 2.5]])
  assert.deepEqual([data[1].x, data[1].y], [[1, 2], [7, 8]])
  assert.deepEqual(data[2].marker.opacity, [0.2, 1])
  assert.deepEqual(data[2].textfont.weight, [400, 600])
})

test("a long table comes out of its template once", () => {
  const placed = []
  const templates = [{ content: "rows", replaceWith: (content) => placed.push(content) }]
  const host = { querySelector: () => templates.pop() ?? null }

  unpackTable(host)
  unpackTable(host)

  assert.deepEqual(placed, ["rows"])
})

test("points of the other methods fade where there is no curve, and texts in bars stay", () => {
  const bars = { data: [{ ids: ["a", "b"], marker: { opacity: 0.5 }, textfont: { color: "ink" } }], layout: {} }

  const [{ marker, textfont }] = raised(bars, "a").data

  assert.deepEqual(marker.opacity, [0.5, 0.1])
  assert.deepEqual(textfont, { color: "ink" })
})

test("of a map of pairs one row and one column stay", () => {
  const map = { data: [{ meta: { sources: ["a", "b", "c"] }, y: [0, 0, 0, 1, 1, 1, 2, 2, 2] }], layout: {} }

  const clear = raised(map, "b").data[0].marker.opacity.map((opacity) => opacity === 1)

  assert.deepEqual(clear, [false, true, false, true, true, true, false, true, false])
})

test("raising leaves the figure as it was, and nobody is raised who is not there", () => {
  const before = structuredClone(figure)

  raised(figure, "a")
  assert.deepEqual(figure, before)
  assert.equal(raised(figure, ""), figure)
  assert.equal(raised(figure, "c"), figure)
})

test("tokens become colours wherever they stand, and nothing else does", () => {
  const colour = (name) => `<${name}>`
  const given = { a: "var(--ink-2)", b: ["var(--slot-3)", null, "red"], c: { d: [1, 2], e: "of var(--x)" }, f: null }

  assert.deepEqual(coloured(given, colour), { a: "<ink-2>", b: ["<slot-3>", null, "red"], c: { d: [1, 2], e: "of var(--x)" }, f: null })
})

test("a point leads to its own address, or to its place in the figure's", () => {
  assert.equal(addressOf("/a/", {}), "/a/")
  assert.equal(addressOf("12", { href: "/s/{}/?x" }), "/s/12/?x")
  assert.equal(addressOf("", { href: "/s/{}/" }), "")
  assert.equal(addressOf(undefined), "")
  assert.equal(addressOf(3), "")
})

test("labels are short where there is little room", () => {
  const data = [{ text: ["A 93"], meta: { short: ["A"] } }, { text: ["B"] }]

  assert.deepEqual(fitting(data, 479).map(({ text }) => text[0]), ["A", "B"])
  assert.deepEqual(fitting(data, 480), data)
})

test("a table as CSV has numbers as programs read them", () => {
  const rows = [["Lag", `r, "as" measured`], ["1", "−0.0040"], ["12\u2009000", "±0.1"]]

  assert.equal(csvOf(rows), 'Lag,"r, ""as"" measured"\r\n1,-0.0040\r\n12000,±0.1\r\n')
})

test("a colour beside a number in a scale is found", () => {
  assert.deepEqual(coloured([[0, "var(--ink)"], [1, "#fff"]], (name) => `<${name}>`),
    [[0, "<ink>"], [1, "#fff"]])
})

test("a narrow figure is without what is for wide ones", () => {
  const traces = [{ text: ["ab"], meta: { short: ["a"] } }, { meta: { wide: true } }]
  const shapes = [{ name: "wide" }, { x0: 1 }]

  assert.deepEqual(fitting(traces, 390), [{ ...traces[0], text: ["a"] }])
  assert.deepEqual(fitting(traces, 800), traces)
  assert.deepEqual(fittingShapes(shapes, 390), [{ x0: 1 }])
  assert.deepEqual(fittingShapes(shapes, 800), shapes)
  assert.equal(fittingShapes(undefined, 390), undefined)
})

test("a curve that leads to a page of its own is raised by the pointer, and others are not", () => {
  const meta = { address: "/s/a/series/x/", raises: true }

  assert.equal(raisedBy({ data: { meta, legendgroup: "fork-3" } }), "fork-3")
  assert.equal(raisedBy({ id: "fork-4", data: { meta: { raises: true } } }), "fork-4")
  assert.equal(raisedBy({ id: "kb", data: { legendgroup: "kb" } }), "")
  assert.equal(raisedBy(null), "")
})

test("a zoom asks for whole iterations that it shows, and other changes for none", () => {
  assert.deepEqual(windowOf({ "xaxis.range[0]": -3.2, "xaxis.range[1]": 99.9 }), [0, 99])
  assert.deepEqual(windowOf({ "xaxis.range[0]": 10.2, "xaxis.range[1]": 20 }), [11, 20])
  assert.equal(windowOf({ "xaxis.range[0]": 10.2, "xaxis.range[1]": 11.4 }), null)
  assert.equal(windowOf({ "xaxis.autorange": true }), null)
})
