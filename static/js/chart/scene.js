// Everything of ours above Plotly's drawing, as one list of SVG elements.

import { colourOf, round, svg } from "../shared/elements.js";
import { xOf } from "./scale.js";

const MERGE = 3

/** Title of the y-axis with its unit: what the page says, else what the unit says. */
export function titleOf(series, unit) {
  const words = series.quantity || (series.unit === "s" || series.unit.startsWith("s/")
    ? "time per iteration" : "value")
  return unit && !series.hideValues ? `${words} (${unit})` : words
}

/** @param {Record<string, any>} scene */
export function drawnScene({ plot, lines, cut, window, yAxis: [lo, hi], log, tint, levels, events,
  scale, title, ticks, strip, labels = null }) {
  const { left, top, width, height } = plot
  const x = xOf(plot, window)
  const y = (value) => top + height * (1 - ((log ? Math.log10(value) : value) - lo) / (hi - lo))
  const from = tint === null ? width : Math.min(Math.max(x(tint) - left, 0), width)
  const inside = (levels?.pieces ?? []).filter(([a, b]) => a < window[1] && b > window[0])
  const pieces = inside
    .map(([a, b, level]) => ([Math.max(a, window[0]), Math.min(b, window[1]), level / scale]))
  return [
    svg("text", { class: "chart-title", x: 0, y: 11 }, title),
    svg("rect", { class: "chart-tint", x: left + from, y: top, width: width - from, height }),
    svg("path", { class: `chart-levels ${colourOf(levels?.slot)}`,
      d: levelPath(pieces, x, y) }),
    ...events.map(({ at, slot }) => svg("path", { class: `chart-events ${colourOf(slot)}`,
      d: uprights(at.filter((index) => index >= window[0] && index < window[1]).map(x), top,
        height) })),
    svg("path", { class: "chart-cut", d: triangles(cut.above.map(x), top, 1)
      + triangles(cut.below.map(x), top + height, -1) }),
    ...(labels?.values ?? []).map((value, index) => svg("text", { class: "chart-inside",
      x: left + width - 16, y: round(y(value) - 5), "text-anchor": "end" }, labels.texts[index])),
    ...(strip ? [strip] : []),
    ...lines,
    ...(ticks ? [svg("text", { class: "chart-title", x: left + width,
      y: top + height + plot.strip + 33, "text-anchor": "end" }, "iteration (0 = first)")] : []),
  ]
}

/** Triangles at an edge for what it cuts off, one per three pixels. */
export function triangles(pixels, y, /** @type {1 | -1} */ up) {
  let lastEnd = -Infinity
  const parts = []
  for (const x of [...pixels].sort((a, b) => a - b)) {
    if (x - lastEnd < MERGE) continue
    lastEnd = x
    parts.push(`M${round(x - 3)} ${y + 6 * up}h6l-3 ${-6 * up}z`)
  }
  return parts.join("")
}

/** Lines through the plot, one a pixel. */
export const uprights = (pixels, top, height) =>
  [...new Set(pixels.map(Math.round))].map((x) => `M${x} ${top}v${height}`).join("")

/** Heights of steps over the data, as one path. */
export function levelPath(pieces, x, y) {
  return pieces.map(([from, to, level]) =>
    `M${round(x(from - 0.5))} ${round(y(level))}H${round(x(to - 0.5))}`).join("")
}
