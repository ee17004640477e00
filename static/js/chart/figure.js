// Figure for Plotly: one line, two axes with explicit ranges and our ticks. CSS has colours.

import { iterations, linear, logarithmic } from "./ticks.js";
import { axis } from "./view.js";
import { outlineOf } from "./decimate.js";
import { textWidth } from "../shared/elements.js";

const TITLE = 16
/** Height of a lane of labels. */
export const LANE = 18
/** Height of the strip of answers, and room at its right end for those without an iteration. */
const STRIP = { height: 92, heightNarrow: 64, right: 104, rightNarrow: 68 }
const SANS = 'Inter, "Inter stand-in", "Inter stand-in wide", system-ui, sans-serif'
/** Between a figure of the y-axis and the plot. */
const STANDOFF = 6
const EM = "\u2003"
const GREY = "#6b7683"
/** A value in view gets a dot where it has four pixels. */
const DOT_ROOM = 4

/** @typedef {ReturnType<typeof geometry>} Plot */

/** Place of the plot in its stage; `labels` is the width of the longest figure beside it,
 * `full`: it fills the width, with its figures inside. */
export function geometry({ width, plotHeight, lanes, ticks, strip: hasStrip = false, labels = 0,
  full = false }) {
  const narrow = width < 608
  const left = full ? 0 : Math.max(narrow ? 32 : 40, Math.ceil(labels) + STANDOFF)
  const top = TITLE + Math.max(1, lanes) * LANE
  const bottom = ticks ? 36 : 10
  const strip = hasStrip ? (narrow ? STRIP.heightNarrow : STRIP.height) : 0
  const beside = full ? 0 : 16
  const right = hasStrip ? (narrow ? STRIP.rightNarrow : STRIP.right) : beside
  const inner = Math.max(40, width - left - right)
  return { full, narrow, left, top, width: inner, height: plotHeight, bottom, strip, right,
    whole: top + plotHeight + strip + bottom, stage: width }
}

/** Ticks of the x-axis. @param {Plot} plot */
export function xTicks(plot, [from, to], n) {
  const ticks = iterations(from, to, n, plot.width, plot.narrow ? 85 : 110)
  if (!plot.full) return ticks
  return { ...ticks, texts: ticks.texts.map((text, at) => {
    const x = (ticks.values[at] + 0.5 - from) / (to - from) * plot.width
    return inwards(text, x, plot.width)
  }) }
}

/** A text about `x`, moved by spaces of 12 pixels to where none of it is cut off. */
export function inwards(text, x, width) {
  const half = textWidth(text) / 2 + 8
  const spaces = (missing) => EM.repeat(Math.max(0, Math.ceil(missing / 6)))
  return spaces(half - x) + text + spaces(half - width + x)
}

/** Ticks of the y-axis: texts in the series' unit, values as drawn, which is divided by scale. */
export function yTicks(height, { range: [lo, hi], log, scale, unit }) {
  const y = log ? logarithmic(10 ** lo * scale, 10 ** hi * scale, height, unit)
    : linear(lo * scale, hi * scale, height, unit)
  return { ...y, values: y.values.map((value) => value / scale) }
}

const TRACE = { type: "scatter", mode: "lines", hoverinfo: "skip" }

/** Every value as a line, with dots where there is room. */
function valueTraces({ x, y }, plot) {
  const mode = x.length <= plot.width / DOT_ROOM ? "lines+markers" : "lines"
  return [{ ...TRACE, mode, x, y, line: { width: 1, color: GREY }, marker: { size: 3,
    color: GREY } }]
}

/** Buckets as two bands, faint marks of their extremes, and their medians as a line. */
function bandTraces({ x, y, bands }, plot, [from, to]) {
  const [low, lower, median, upper, high] = bands.quantiles
  const band = (a, b, opacity) => ({ ...TRACE, ...outlineOf(bands.x, a, b), fill: "toself",
    line: { width: 0 }, fillcolor: GREY, opacity })
  const half = (to - from) / plot.width
  const marks = { ...TRACE, opacity: 0.5, line: { width: 1, color: GREY, simplify: false },
    x: Array.from(x).flatMap((index) => [index - half, index + half, null]),
    y: Array.from(y).flatMap((value) => [value, value, null]) }
  return [band(low, high, 0.25), band(lower, upper, 0.35), marks,
    { ...TRACE, x: bands.x, y: median, line: { width: 1, color: GREY } }]
}

/** Data and layout; the layout always has the same shape. @param {Plot} plot */
export function figure(plot, points, view, ticks) {
  const plain = { fixedrange: true, zeroline: false, automargin: false, tickmode: "array",
    tickangle: 0, title: { text: "" } }
  return {
    data: points.bands ? bandTraces(points, plot, view.window) : valueTraces(points, plot),
    layout: {
      width: plot.stage,
      height: plot.whole,
      margin: { l: plot.left, r: plot.right, t: plot.top, b: plot.bottom, pad: 0 },
      autosize: false,
      showlegend: false,
      hovermode: false,
      dragmode: false,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: SANS, size: 12, color: "#4a5563" },
      xaxis: {
        ...plain, range: axis(view.window), tickvals: ticks.x.values, ticktext: ticks.x.texts,
          showgrid: false, showline: true, anchor: "free", position: 0,
        linewidth: 1, ticks: "outside", ticklen: 4, tickwidth: 1, ticklabeloverflow: "allow",
          showticklabels: view.ticks,
      },
      yaxis: {
        ...plain, type: view.log ? "log" : "linear", range: view.range,
          domain: [plot.strip / (plot.height + plot.strip), 1], tickvals: ticks.y.values,
          ticktext: ticks.y.texts,
        showgrid: true, gridwidth: 1, showline: false, ticks: "", ticklabelstandoff: 4,
          showticklabels: !view.hideValues && !plot.full,
      },
    },
  }
}
