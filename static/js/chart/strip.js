// Answers that are no line at present: symbols under the plot, on its axis; never at its end.

import { colourOf, html, level, round, svg, textWidth, upright } from "../shared/elements.js";
import { chartMenu } from "./overlay.js";
import { xOf } from "./scale.js";
import { symbolOf } from "./symbols.js";

const LEVELS = 7
const FOOT = 4
/** Columns at the end of the axis: answers without a place on it, and how far along the margin. */
const COLUMNS = [{ word: "never", short: "never", of: -1, share: 0.36 },
  { word: "none", short: "–", of: null, share: 0.8 }]
/** A symbol is pointed at from so far: a finger is no finer. */
const REACH = 22

/**
 * @typedef {{id: string, index: number | null, kind: "detector", slot: number,
 *   code: string, title?: string}} Answer
 * @typedef {{answers: Answer[], truth: number | null, tolerance: number}} Strip
 *   an index of -1 is never, null no answer
 */

/** Symbols one above the other where they would touch. @returns level of each; -1: no level left */
export function stackLevels(xs, pitch, levels = LEVELS) {
  const takenXs = Array.from({ length: levels }, () => /** @type {number[]} */ ([]))
  return xs.map((x) => {
    const level = takenXs.findIndex((row) => row.every((otherX) => Math.abs(otherX - x) >= pitch))
    if (level >= 0) takenXs[level].push(x)
    return level
  })
}

/** Places of the answers in a plot: those in view on the axis, the others in columns at its end. */
export function placeSymbols({ answers }, window, plot) {
  const x = xOf(plot, window)
  const pitch = plot.narrow ? 10.5 : 12.5
  const isOn = ({ index }) => index !== null && index >= window[0] && index < window[1]
  const on = answers.filter(isOn).map((answer) => ({ answer, x: x(answer.index) }))
  const end = plot.left + plot.width
  const columns = COLUMNS.flatMap((column) => {
    const columnAnswers = answers.filter(({ index }) => index === column.of)
    const wide = Math.max(1, Math.floor(plot.right * 0.4 / pitch))
    return columnAnswers.map((answer, index) => ({ answer, x: end + plot.right * column.share
      + ((index % wide) - (Math.min(wide, columnAnswers.length) - 1) / 2) * pitch }))
  })
  const symbols = [...on.sort((a, b) => a.x - b.x), ...columns]
  const levels = stackLevels(symbols.map(({ x }) => x), pitch, plot.narrow ? 5 : LEVELS)
  const base = plot.top + plot.height + plot.strip - FOOT - pitch / 2
  const drawnSymbols = symbols.map((answerSymbol, index) =>
    ({ ...answerSymbol, level: levels[index], y: base - levels[index] * pitch }))
  return { seen: drawnSymbols.filter(({ level }) => level >= 0), pitch,
    rest: drawnSymbols.filter(({ level }) => level < 0).map(({ answer }) => answer.id) }
}

/** The answer that a point of the stage means: the nearest symbol within reach. */
export function nearest({ seen }, x, y) {
  const distanceTo = (answerSymbol) => Math.hypot(answerSymbol.x - x, answerSymbol.y - y)
  const best = seen.reduce((a, b) => (a && distanceTo(a) <= distanceTo(b) ? a : b), seen[0])
  return best && distanceTo(best) <= REACH ? best.answer.id : null
}

const text = (x, y, words, anchor = "start") =>
  svg("text", { class: "chart-title", x: round(x), y: round(y), "text-anchor": anchor }, words)

/** Band of the tolerance, its words, and the yardstick's line through the strip. */
function ground({ truth, tolerance }, window, plot) {
  const top = plot.top + plot.height
  const end = plot.left + plot.width
  if (truth === null || truth < 0) return []
  const px = (index) => Math.min(Math.max(xOf(plot, window)(index), plot.left), end)
  const [from, to] = [px(truth - tolerance), px(truth + tolerance)]
  const agrees = `agrees ±${tolerance}`
  const words = [...(from - plot.left > 44 ? [text(from - 6, top + 18, "early", "end")] : []),
    ...(end - to > textWidth(agrees) + 50 ? [text(to + 6, top + 18, agrees),
      text(end - 6, top + 18, "late", "end")] : [])]
  const isIn = truth >= window[0] && truth < window[1]
  const line = () => upright("line line-truth", px(truth), [top, top + plot.strip])
  return [svg("rect", { class: "strip-band", x: round(from), y: top, width: round(to - from),
    height: plot.strip }), ...words, ...(isIn ? [line()] : [])]
}

/** Place of an answer in words. */
const whereOf = (index) => (index === null ? "no answer"
  : index < 0 ? "never steady" : `steady from ${index}`)

/** Menu of the answers for which there is no level left; one that is pressed becomes a line. */
export function moreMenu(hiddenIds, { answers }, plot) {
  const hiddenAnswers = answers.filter(({ id }) => hiddenIds.includes(id))
  const items = hiddenAnswers.map(({ id, code, title = "", index }) =>
    html("button", { type: "button", class: "item", "data-answer": id },
      html("b", {}, code), ` ${title} `, html("span", { class: "quiet" }, whereOf(index))))
  const summary = html("summary", { class: "chip bare",
    "aria-label": `+${items.length} more answers` }, `+${items.length}`)
  const menu = chartMenu(summary, items, true)
  menu.style.top = `${plot.top + plot.height + 4}px`
  return menu
}

function symbol({ answer, x, y }, size) {
  const { d, open } = symbolOf(answer)
  const name = whereOf(answer.index)
  const transform = `translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${size / 12})`
  return svg("g", { class: `strip-answer ${colourOf(answer.slot)}`, "data-line": answer.id,
    role: "button", tabindex: -1, "aria-label": `${answer.code}: ${name}` },
    svg("title", {}, `${answer.code}: ${name}`),
    svg("circle", { class: "strip-ring", cx: round(x), cy: round(y), r: 10 }),
    svg("path", { d, class: `line-symbol${open ? " line-symbol-open" : ""}`, transform }))
}

/** Everything of the strip, to be put under the plot. */
export function drawnStrip(strip, layout, window, plot) {
  const top = plot.top + plot.height
  const end = plot.left + plot.width
  // Where there is little room, below the last number of the axis.
  const columns = COLUMNS.filter(({ of }) => strip.answers.some(({ index }) => index === of))
    .map(({ word, short, share }) => text(end + plot.right * share,
      top + plot.strip + (plot.narrow ? 28 : 14), plot.narrow ? short : word, "middle"))
  const size = layout.pitch - 1.5
  const group = svg("g", { class: "strip", role: "group", "aria-label": "Other answers" },
    svg("rect", { class: "strip-hit", x: plot.left - 12, y: top,
      width: plot.width + plot.right + 12, height: plot.strip + 18 }),
    ...ground(strip, window, plot), ...columns,
    level("axis", top, [plot.left, end]),
    ...layout.seen.map((drawnSymbol) => symbol(drawnSymbol, size)))
  group.querySelector(".strip-answer")?.setAttribute("tabindex", "0")
  return group
}
