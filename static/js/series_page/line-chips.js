// The lines of the chart as chips above it: each takes its line away, the last shows all.

import { html, linkButton } from "../shared/elements.js";
import { classesOf } from "../chart/symbols.js";
import { keep } from "../shared/kept.js";
import { sameLines } from "../shared/overlay-lines.js";

/** Chips of the lines that are shown, in the order in which they were chosen. */
export function lineChips(place, legend) {
  const chip = ({ id, code, title, slot }) => {
    const click = () => legend.without(id)
    return html("button", { class: "chip chip-button", type: "button", click },
      html("span", { class: `symbol ${classesOf(slot)}` }), code,
      html("span", { class: "visually-hidden" }, `, take the line of ${title} away`),
      html("span", { "aria-hidden": "true" }, " ×"))
  }
  const count = legend.entries.filter((one) => one.hasLine && one.id !== "truth").length
  const rule = place.querySelector("[data-lines-rule]")
  const isUsual = sameLines(legend.shown, legend.usual)
  const first = legend.data.first.length - 1 // without the yardstick
  const some = first > legend.most ? `: ${legend.most} of ${first}` : ""
  if (rule) rule.textContent = isUsual ? rule.dataset.linesRule + some : "lines chosen by hand"
  for (const old of place.querySelectorAll("button")) old.remove()
  place.firstElementChild.after(...legend.methods.map(chip),
    linkButton(`all ${count}`, () => legend.showMeant("all")),
    ...(isUsual ? [] : [linkButton("default lines", () => showUsual(legend))]))
}

/** The lines that the page begins with, on the next series, too. */
function showUsual(legend) {
  legend.show(new Set(legend.usual), { isKept: false })
  keep(legend.place, null)
}
