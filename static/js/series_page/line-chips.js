// The lines of the chart as chips above it: each takes its line away, the last shows all.

import { html } from "../shared/elements.js";
import { classesOf } from "../chart/symbols.js";

/** Chips of the lines that are shown, in the order in which they were chosen. */
export function lineChips(place, /** @type {import("../shared/legend.js").Legend} */ legend) {
  const chip = ({ id, code, title, slot }) => {
    const button = html("button", { class: "chip chip-button", type: "button" },
      html("span", { class: `symbol ${classesOf(slot)}` }), code,
      html("span", { class: "visually-hidden" }, `, take the line of ${title} away`),
      html("span", { "aria-hidden": "true" }, " ×"))
    button.addEventListener("click", () => legend.without(id))
    return button
  }
  const all = html("button", { class: "button button-quiet button-link small", type: "button" },
    `all ${legend.entries.filter((one) => one.hasLine && one.id !== "truth").length}`)
  all.addEventListener("click", () => legend.showMeant("all"))
  for (const old of place.querySelectorAll("button")) old.remove()
  place.append(...legend.methods.map(chip), all)
}
