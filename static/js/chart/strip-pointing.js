// Pointing at symbols under the plot: shows the line of one, keeps it; no drawing of the chart.

import { colourOf, round, svg, textWidth, upright } from "../shared/elements.js";
import { xOf } from "./scale.js";
import { nearest } from "./strip.js";

/** The line of an answer over plot and strip, with its words; words alone where it has none. */
export function drawnPeek(/** @type {import("./strip.js").Answer & {words: string}} */ answer,
  window, plot) {
  const { index, slot, words } = answer
  const hasLine = index !== null && index >= window[0] && index < window[1]
  const x = hasLine ? xOf(plot, window)(index) : plot.left + plot.width
  const isLeft = x + textWidth(words) + 12 > plot.stage
  const yRange = [plot.top, plot.top + plot.height + plot.strip]
  return svg("g", { class: `line-peek ${colourOf(slot)}` },
    ...(hasLine ? [upright("line line-detector", x, yRange)] : []),
    svg("text", { class: "line-text", x: round(x + (isLeft ? -6 : 6)), y: plot.top + 14,
      "text-anchor": isLeft ? "end" : "start" }, words))
}

/** Listens for a chart with a strip; its options have onAnswer(id, isKept). */
export function connectStrip(chart) {
  const { stages } = chart.places
  const listen = (eventName, act) => stages.addEventListener(eventName, act)
  const isIn = (event) => Boolean(event.target.closest?.(".strip"))
  const symbolUnder = ({ clientX, clientY }) => {
    const { left, top } = chart.stage.element.getBoundingClientRect()
    return nearest(chart.stage.found ?? { seen: [] }, clientX - left, clientY - top)
  }
  let shownAnswer = null
  const point = (id) => {
    if (id === shownAnswer) return
    shownAnswer = id
    chart.options.onAnswer?.(id, false)
  }
  listen("pointermove", (event) => {
    if (isIn(event) || shownAnswer) point(isIn(event) ? symbolUnder(event) : null)
  })
  listen("pointerleave", () => point(null))
  listen("click", (event) => {
    const listedId = event.target.closest?.("[data-answer]")?.dataset.answer
    const id = listedId ?? (isIn(event) ? symbolUnder(event) : null)
    if (id) chart.options.onAnswer?.(id, true)
  })
  listen("focusin", (event) => point(event.target.closest?.(".strip-answer")?.dataset.line ?? null))
  listen("focusout", () => point(null))
  listen("keydown", (event) => {
    const symbolNode = event.target.closest?.(".strip-answer")
    if (!symbolNode) return
    const symbolNodes = [...stages.querySelectorAll(".strip-answer")]
    const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const { length } = symbolNodes
    if (to) symbolNodes[(symbolNodes.indexOf(symbolNode) + to + length) % length].focus()
    else if (event.key === "Enter" || event.key === " ")
      chart.options.onAnswer?.(symbolNode.dataset.line, true)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
}
