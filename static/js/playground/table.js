// The table of answers: the one that follows the sliders, and those that were pinned.

import { html } from "../shared/elements.js";
import { classesOf } from "../chart/symbols.js";
import { delta, iteration } from "./answers.js";

const cell = (text, kind = "number") => html("td", { class: kind }, text)

const milliseconds = (ms) =>
  ms === undefined ? "–" : `${ms < 10 ? ms.toPrecision(2) : Math.round(ms)}\u00a0ms`

const unpin = ({ short, title }) => html("button", { class: "button button-quiet button-tool",
  type: "button", "data-unpin": short, "aria-label": `Unpin ${title}` }, "Unpin")

function row(answer, reference, pinned) {
  const { code, slot, title, params, problem, waits, steady_start: start } = answer
  const symbol = html("span", { class: `symbol ${classesOf(slot)}`, "aria-hidden": "true" })
  const name = html("th", { scope: "row" }, symbol, " ", html("b", {}, code), ` ${title}`)
  const set = cell(params.join(", ") || "default", params.length ? "small soft" : "small quiet")
  const removeCell = html("td", { class: "number" }, ...(pinned ? [unpin(answer)] : []))
  const words = html("td", { colspan: 4, class: "soft" }, problem ?? waits ?? "")
  if (problem || waits) return html("tr", {}, name, set, words, removeCell)
  return html("tr", {}, name, set, cell(iteration(start), "number key-figure"),
    cell(delta(start, reference)), cell(String(answer.published_index ?? "–")),
    cell(milliseconds(answer.milliseconds), "number quiet"), removeCell)
}

/** Writes the rows; deltas are counted from `reference`. */
export function writeRows(body, current, pins, reference) {
  body.replaceChildren(...(current ? [row(current, reference, false)] : []),
    ...pins.map((pin) => row(pin, reference, true)))
}
