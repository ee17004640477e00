// Drawings of evidence on the iterations of the chart above: a curve, bands.

import { colourOf, html, level, round, svg, upright } from "../shared/elements.js";
import { si, takesPrefix } from "../shared/format.js";
import { padded } from "./range.js";
import { iterations, linear, short } from "./ticks.js";
import { xOf } from "./scale.js";

const HEIGHTS = { curve: 62, bands: 20 }
const ROOM = 6
const TICKS = 34

/** Kinds that stand on the axis of iterations. */
export const isPlotted = (item) => item.kind in HEIGHTS

/** A curve without its gaps: null or NaN ends a stroke. */
export function strokes(y, x, shape, px, py) {
  let text = ""
  let open = false
  y.forEach((value, index) => {
    if (value === null || !Number.isFinite(value)) return (open = false)
    const left = round(px(x ? x[index] : index))
    if (!open) text += `M${left} ${round(py(value))}`
    else text += shape === "steps" ? `H${left}V${round(py(value))}` : `L${left} ${round(py(value))}`
    open = true
  })
  return text
}

/** Range of a curve with its threshold; a share keeps 0 … 1. @returns {[number, number]} */
export function curveRange(y, threshold) {
  const numbers = y.filter((value) => value !== null && Number.isFinite(value))
  if (threshold !== null && threshold !== undefined) numbers.push(threshold)
  if (!numbers.length) return [0, 1]
  const lo = numbers.reduce((a, b) => Math.min(a, b))
  const hi = numbers.reduce((a, b) => Math.max(a, b))
  if (lo >= 0 && hi <= 1 && hi > 0.5) return [0, 1]
  return padded(lo, hi)
}

/** @typedef {{plot: any, window: [number, number], n: number, ticks: boolean}} Frame */

/** One panel as SVG, in a frame that clips it to the window. */
export function drawnPanel(item, frame) {
  const { plot, window, ticks } = frame
  const height = HEIGHTS[item.kind]
  const px = xOf({ left: 0, width: plot.width }, window)
  const inner = svg("svg", { x: plot.left, y: ROOM, width: plot.width, height, overflow: "hidden" })
  const fullHeight = ROOM + height + (ticks ? TICKS : 4)
  const plotNode = svg("svg", { class: "evidence-plot", width: plot.stage, height: fullHeight,
    "aria-hidden": "true" })
  const around = item.kind === "curve" ? curve(item, inner, height, px, plot)
    : strip(item, inner, height, px)
  inner.append(...(item.lines ?? []).map(({ kind, slot, index }) =>
    upright(`line line-${kind} ${colourOf(slot)}`, px(index), [0, height])))
  plotNode.append(inner, ...around,
    level("axis", ROOM + height, [plot.left, plot.left + plot.width]))
  if (ticks) plotNode.append(...axisTicks(frame, px, ROOM + height))
  return plotNode
}

function axisTicks({ plot, window, n }, px, y) {
  const ticks = iterations(window[0], window[1], n, plot.width, plot.narrow ? 85 : 110)
  const marks = ticks.values.flatMap((value, index) => {
    const x = round(plot.left + px(value))
    return [upright("axis", x, [y, y + 4]),
      svg("text", { x, y: y + 16, "text-anchor": "middle" }, ticks.texts[index])]
  })
  return [...marks, svg("text", { class: "hint", x: plot.left + plot.width, y: y + 31,
    "text-anchor": "end" }, "iteration (0 = first)")]
}

/** Line, threshold, grid and figures of the axis; gives what stands outside of the plot. */
function curve(item, inner, height, px, plot) {
  const [lo, hi] = curveRange(item.y, item.threshold)
  const py = (value) => (1 - (value - lo) / (hi - lo)) * (height - 2) + 1
  const axis = linear(lo, hi, 110, item.unit ?? "")
  inner.append(...axis.values.map((value) => level("grid", py(value), [0, plot.width])),
    svg("path", { class: `curve ${colourOf(item.slot)}`,
      d: strokes(item.y, item.x, item.shape, px, py) }))
  const text = (value, words) =>
    svg("text", { x: plot.left - 6, y: ROOM + round(py(value)) + 4, "text-anchor": "end" }, words)
  const labels = axis.values.map((value, index) => text(value, axis.texts[index]))
  if (axis.unit) labels.push(svg("text", { class: "hint", x: plot.left + 4, y: ROOM + 11 },
    axis.unit))
  if (item.threshold === null || item.threshold === undefined) return labels
  const y = round(py(item.threshold))
  inner.append(level("threshold", y, [0, plot.width]))
  return [...labels, svg("text", { class: "hint", x: plot.left + plot.width, y: ROOM + y - 4,
    "text-anchor": "end" }, formatValue(item.threshold, item.unit ?? ""))]
}

/** Rectangles with a note where it fits; nothing stands outside of the plot. */
function strip(item, inner, height, px) {
  const note = (index) => item.notes?.[index] ?? ""
  inner.append(...item.spans.flatMap(([from, to], index) => {
    const width = px(to - 0.5) - px(from - 0.5)
    const box = svg("rect", { class: `evidence-band ${colourOf(item.slot)}`,
      x: round(px(from - 0.5)), y: 1, width: round(width), height: height - 2 },
      svg("title", {}, `${from} to ${to - 1}${note(index) && `: ${note(index)}`}`))
    return width > note(index).length * 7 + 8 && note(index)
      ? [box, svg("text", { x: round(px(from - 0.5)) + 4, y: height - 6 }, note(index))] : [box]
  }))
  return []
}

/** A number with its unit: with a prefix where the unit takes one, else in six digits. */
export function formatValue(value, unit) {
  if (takesPrefix(unit)) return si(value, unit)
  const size = Math.abs(value)
  const text = value && (size < 1e-4 || size >= 1e9) ? short(value) : Number(value.toPrecision(6))
  return `${text}${unit ? `\u00a0${unit}` : ""}`
}

/** Named numbers as a list. */
export const figures = (item) =>
  html("dl", { class: "facts" }, ...item.rows.map(([name, value, unit]) => {
    const words = typeof value === "number" ? formatValue(value, unit)
      : `${value}${unit ? `\u00a0${unit}` : ""}`
    return html("div", {}, html("dt", {}, name), html("dd", {}, words))
  }))
