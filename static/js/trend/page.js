// The chart of a benchmark's recordings: a dot each, steps of the trend, rings at changes.

import { linear } from "../chart/ticks.js";
import { si } from "../shared/format.js";
import { plotter } from "../chart/plotter.js";
import { padded } from "../chart/range.js";

/**
 * @typedef {{at: number, kind: "regression" | "progression", small: boolean, words: string}} Jump
 */
/**
 * @typedef {{unit: string, dated: boolean, x: (string | number)[], results: number[], labels:
 *   string[], groups: [number, number, number][], jumps: Jump[], best: number | null}} Trend
 */

const MARGIN = { l: 48, r: 12, t: 26, b: 46, pad: 0 }
const NARROW = 608
const LABEL = 14
const SANS = 'Inter, "Inter stand-in", "Inter stand-in wide", system-ui, sans-serif'

/** Steps from group to group, each from its first to its last dot; a group of one is a dot wide. */
export function steps({ groups, x }) {
  const along = groups.flatMap(([from, to]) => [x[from], x[to - 1], null])
  return { x: along, y: groups.flatMap(([, , mean]) => [mean, mean, null]) }
}

/** Dots at which the trend changed; small and taken back changes have small rings. */
export function rings({ jumps, x, results }, kind) {
  const mine = jumps.filter((jump) => jump.kind === kind)
  return { x: mine.map(({ at }) => x[at]), y: mine.map(({ at }) => results[at]),
    sizes: mine.map(({ small }) => (small ? 9 : 14)) }
}

/** Range of the y-axis: all dots, and the best of the long term. @returns {[number, number]} */
export function rangeOf(/** @type {Trend} */ { results, best }) {
  const all = best === null ? results : [...results, best]
  return padded(all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b)))
}

/** Ticks of recordings without dates: labels where there is room for them. */
export function labelled(labels, pixels) {
  const step = Math.max(1, Math.ceil((labels.length * 110) / Math.max(pixels, 110)))
  const at = labels.map((_, place) => place).filter((place) => place % step === 0)
  const short = (text) => (text.length > LABEL ? `${text.slice(0, LABEL - 1)}…` : text)
  return { tickvals: at, ticktext: at.map((place) => short(labels[place])) }
}

/** What the line under the chart says of one dot. */
export function readout(/** @type {Trend} */ trend, at) {
  const group = trend.groups.find(([from, to]) => at >= from && at < to)
  const jump = trend.jumps.find((one) => one.at === at)
  const when = trend.dated ? `, ${trend.x[at]}` : ""
  const level = group ? `, trend ${si(group[2], trend.unit)}` : ""
  const change = jump ? ` · ${jump.words}` : ""
  return `${trend.labels[at]}${when}: ${si(trend.results[at], trend.unit)}${level}${change}`
}

/** Data and layout for Plotly. @param {Trend} trend */
export function figure(trend, { width, height }, colour) {
  const range = rangeOf(trend)
  const ticks = linear(...range, height - MARGIN.t - MARGIN.b, trend.unit)
  const axis = { zeroline: false, showgrid: true, gridcolor: colour("grid"),
    linecolor: colour("axis"), tickfont: { color: colour("text"), size: 12 }, automargin: false }
  const dots = { type: "scatter", mode: "markers", x: trend.x, y: trend.results, hoverinfo: "none",
    marker: { size: trend.x.length > 400 ? 4 : 6, color: colour("dot") } }
  const line = { type: "scatter", mode: "lines", ...steps(trend), hoverinfo: "skip",
    line: { width: 2.5, color: colour("step") } }
  const single = trend.groups.filter(([from, to]) => to - from === 1)
  const lone = { type: "scatter", mode: "markers", x: single.map(([from]) => trend.x[from]),
    y: single.map(([, , mean]) => mean), hoverinfo: "skip",
    marker: { symbol: "line-ew-open", size: 9, line: { width: 2.5 }, color: colour("step") } }
  const circles = /** @type {Jump["kind"][]} */ (["regression", "progression"]).map((kind) => {
    const { x, y, sizes } = rings(trend, kind)
    return { type: "scatter", mode: "markers", x, y, hoverinfo: "skip",
      marker: { opacity: 1, symbol: kind === "regression" ? "circle-open" : "diamond-open",
      size: sizes, line: { width: 2 }, color: colour(kind) } }
  })
  const level = { type: "line", xref: "paper", x0: 0, x1: 1, y0: trend.best, y1: trend.best,
    line: { width: 1.5, dash: "dot", color: colour("best") } }
  const along = trend.dated ? { type: "date", nticks: Math.max(2, Math.floor(width / 120)) }
    : { type: "linear", tickmode: "array", ...labelled(trend.labels, width - MARGIN.l) }
  return {
    data: [dots, line, lone, ...circles],
    layout: {
      width, height, margin: MARGIN, autosize: false, showlegend: false, hovermode: "closest",
      dragmode: width < NARROW ? false : "zoom",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        font: { family: SANS, size: 12, color: colour("text") },
      shapes: trend.best === null ? [] : [level],
      annotations: [{ text: ticks.unit || "value", showarrow: false, xref: "paper", yref: "paper",
        x: 0, y: 1, xanchor: "left", yanchor: "bottom", xshift: 4 - MARGIN.l, yshift: 6,
        font: { size: 12, color: colour("text") } }],
      xaxis: { ...axis, ...along, showgrid: false, showline: true, fixedrange: width < NARROW },
      yaxis: { ...axis, range, fixedrange: true, tickmode: "array", tickvals: ticks.values,
        ticktext: ticks.texts },
    },
  }
}

export function connect(root) {
  /** @type {Trend} */
  const trend = JSON.parse(document.getElementById("trend-data")?.textContent ?? "{}")
  const graph = root.querySelector("[data-trend-graph]")
  const words = root.querySelector("[data-trend-readout]")
  // The legend's keys have the colours of the style sheet, resolved for the theme that is on.
  const colour = (name) => getComputedStyle(root.querySelector(`.trend-key-${name}`)
    ?? root.querySelector("[data-trend-readout]") ?? root).color
  const draw = () => {
    if (!graph.clientWidth) return
    plotter.plot(graph, figure(trend, { width: graph.clientWidth, height: graph.clientHeight },
      colour), { doubleClick: "reset" })
  }
  draw()
  graph.on("plotly_hover", ({ points }) => {
    const dot = points.find((one) => one.curveNumber === 0)
    if (dot) words.textContent = readout(trend, dot.pointIndex)
  })
  new ResizeObserver(draw).observe(graph)
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw)
}

const root = globalThis.document && document.querySelector("[data-trend]")
// Plotly is deferred too, and stands before this module.
if (root) connect(root)
