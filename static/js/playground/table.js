// The table of answers: the one that follows the sliders, and those that were pinned.

import { html } from "../shared/elements.js";
import { classesOf } from "../chart/symbols.js";
import { delta, iteration } from "./answers.js";

const cell = (text, kind = "number") => html("td", { class: kind }, text)

function row(/** @type {import("./answers.js").Answer} */ answer, reference, pinned) {
  const name = html("th", { scope: "row" }, html("span",
    { class: `symbol ${classesOf(answer.slot)}`, "aria-hidden": "true" }), " ",
    html("b", {}, answer.code), ` ${answer.title}`)
  const params = cell(answer.params.join(", ") || "default", answer.params.length ? "small soft"
    : "small quiet")
  const away = html("td", { class: "number" },
    ...(pinned ? [html("button", { class: "button button-quiet button-tool", type: "button",
    "data-unpin": answer.short, "aria-label": `Unpin ${answer.title}` }, "Unpin")] : []))
  if (answer.problem || answer.waits)
    return html("tr", {}, name, params, html("td", { colspan: 4, class: "soft" }, answer.problem
      ?? answer.waits ?? ""), away)
  const taken = answer.milliseconds === undefined ? "–"
    : `${answer.milliseconds < 10 ? answer.milliseconds.toPrecision(2)
    : Math.round(answer.milliseconds)}\u00a0ms`
  return html(
    "tr", {}, name, params, cell(iteration(answer.steady_start), "number key-figure"),
      cell(delta(answer.steady_start, reference)),
    cell(answer.published_index === null || answer.published_index === undefined ? "–"
      : String(answer.published_index)), cell(taken, "number quiet"), away,
  )
}

/** Writes the rows; deltas are counted from `reference`. */
export function writeRows(body, current, pins, reference) {
  body.replaceChildren(...(current ? [row(current, reference, false)] : []),
    ...pins.map((pin) => row(pin, reference, true)))
}
