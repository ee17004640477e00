// Drawings above Plotly's: vertical lines with their labels.

import { LANE } from "./figure.js";
import { MORE, layout } from "./labels.js";
import { colourOf, html, round, svg, textWidth, upright } from "../shared/elements.js";
import { xOf } from "./scale.js";
import { symbolOf } from "./symbols.js";

const SYMBOL = 12
const APART = 3
const BETWEEN = 8

/**
 * @typedef {{id: string, index: number, kind: "detector" | "truth" | "mark" | "other" |
 *   "yardstick", slot?: number, code?: string, title?: string, label?: string}} Line
 * @typedef {import("./figure.js").Plot} Plot
 * @typedef {ReturnType<typeof places>} Places
 */

const ORDER = ["detector", "other", "yardstick", "mark", "truth"]

/** Text of a label: the code; the ground truth in words where there is room. */
function labelText(line, narrow) {
  if (line.label) return line.label
  if (line.kind === "truth") return narrow ? String(line.index) : `ground truth ${line.index}`
  return line.code ?? line.title ?? ""
}

/** Places of the labels of the lines in view; x in pixels of the plot. */
export function places(lines, window, plot) {
  const x = xOf({ left: 0, width: plot.width }, window)
  const inView = lines.filter((line) => line.index >= window[0] && line.index < window[1])
  const labels = inView.map((line) => ({
    id: line.id,
    kind: line.kind,
    x: x(line.index),
    width: SYMBOL + APART + textWidth(labelText(line, plot.narrow)),
  }))
  return { inView, at: new Map(labels.map((label) => [label.id, label.x])),
    ...layout(labels, plot.width) }
}

const symbol = (line, x, y) => {
  const { d, open } = symbolOf(line)
  return svg("path", {
    d, class: `line-symbol line-symbol-${line.kind}${open ? " line-symbol-open" : ""}`,
    transform: `translate(${round(x)} ${round(y)})` })
}

const nameOf = (line) => line.title ?? line.code ?? line.id
const look = (line) => (line.kind === "detector" ? ` ${colourOf(line.slot)}` : "")

/** One line from its label down to the axis. */
function drawnLine(line, x, top, plot) {
  const name = `${nameOf(line)}: steady from ${line.index}`
  return svg("g", { class: `line-group${look(line)}`, "data-line": line.id },
    svg("title", {}, name),
    upright(`line line-${line.kind}`, plot.left + x, [round(top), plot.top + plot.height]))
}

/** The label of one line or of several on the same pixel. */
function drawnLabel(label, byId, plot) {
  const lines = label.ids.map((id) => byId.get(id))
  const top = plot.top - (label.lane + 1) * LANE
  const names = lines.map((line) => `${nameOf(line)}, steady from ${line.index}`).join("; ")
  const shownLines = lines.length > 2 ? lines.slice(0, 1) : lines
  const moreWords = lines.length > 2 ? ` +${lines.length - 1}` : ""
  const texts = shownLines.map((line) => labelText(line, plot.narrow) + moreWords)
  // The name begins with what is read on the screen, so that it can be spoken to.
  const group = svg("g", { class: "line-label", tabindex: 0, role: "button",
    "aria-label": `${texts.join(" ")}: ${names}`, "data-line": label.ids.join(" ") })
  let x = plot.left + label.left
  for (const [index, line] of shownLines.entries()) {
    const attributes = { class: "line-text", x: round(x + SYMBOL + APART), y: top + 12 }
    const text = svg("text", attributes, `${texts[index]} `) // the space keeps codes apart
    group.append(svg("g", { class: `line-part${look(line)}` }, symbol(line, x, top + 2), text))
    x += SYMBOL + APART + textWidth(texts[index]) + BETWEEN
  }
  if (lines[0].kind === "truth")
    group.prepend(svg("rect", { class: "line-badge", x: plot.left + label.left - 4, y: top - 2,
      width: label.width + 10, height: 20 }))
  group.prepend(svg("rect", { class: "line-hit", x: plot.left + label.left - 4, y: top - 3,
    width: Math.max(24, label.width + 8), height: 24 }))
  return group
}

/** Lines, then labels; ground truth last, so that it lies on top. */
export function drawnLines(layout, plot) {
  const byId = new Map(layout.inView.map((line) => [line.id, line]))
  const topOf = (label) => plot.top - (label.lane + 1) * LANE + 2
  const tops = new Map(layout.placed.flatMap((label) => label.ids.map((id) => [id, topOf(label)])))
  const sorted = [...layout.inView].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  return [
    ...sorted.map((line) =>
      drawnLine(line, layout.at.get(line.id), tops.get(line.id) ?? plot.top, plot)),
    ...layout.placed.map((label) => drawnLabel(label, byId, plot)),
  ]
}

/** A menu over the plot. */
export const chartMenu = (summary, items, isRight) =>
  html("details", { class: `menu chart-more${isRight ? " menu-right" : ""}`, "data-menu": true },
    summary, html("div", { class: "menu-list" }, ...items))

/** Menu of lines by name: one that is pointed at or focused is raised. */
function linesMenu(ids, lines, isRight, summary) {
  const items = lines.filter((line) => ids.includes(line.id)).map((line) =>
    html("button", { type: "button", class: "item", "data-line": line.id },
      html("span", {}, html("b", {}, line.code ?? ""), ` ${line.title ?? line.label ?? ""}`),
      html("span", { class: "quiet" }, String(line.index))))
  return chartMenu(summary, items, isRight)
}

/** The names behind "+n" of a label, over these letters. */
function namesMenu({ ids, left, width, lane }, lines, plot) {
  const words = `+${ids.length - 1} more lines on this iteration`
  const menu = linesMenu(ids, lines, left > plot.width / 2,
    html("summary", { class: "bare line-names", "aria-label": words, title: words }))
  menu.style.inset = `${plot.top - (lane + 1) * LANE - 2}px auto auto ${
    round(plot.left + left + width - MORE)}px`
  return menu
}

/** Menus of lines whose names are not written: on one pixel with others, and without a lane. */
export const menus = ({ placed, rest }, lines, plot) => [
  ...placed.filter(({ ids }) => ids.length > 2).map((label) => namesMenu(label, lines, plot)),
  ...(rest.length ? [linesMenu(rest, lines, true,
    html("summary", { class: "chip bare" }, `+${rest.length}`))] : [])]
