// The lines of the chart as chips above it: each takes its line away, the last shows all.

import { html, linkButton } from "../shared/elements.js";
import { classesOf } from "../chart/symbols.js";
import { keep } from "../shared/kept.js";
import { sameLines } from "../shared/overlay-lines.js";

/** Chips of the lines that are shown, in the order in which they were chosen. */
export function lineChips(host, legend) {
  const chip = ({ id, code, title, slot }) => {
    const click = () => legend.without(id)
    return html("button", { class: "chip chip-button", type: "button", click },
      html("span", { class: `symbol ${classesOf(slot)}` }), code,
      html("span", { class: "visually-hidden" }, `, take the line of ${title} away`),
      html("span", { "aria-hidden": "true" }, " ×"))
  }
  const count = legend.entries.filter((entry) => entry.hasLine && entry.id !== "truth").length
  const rule = host.querySelector("[data-lines-rule]")
  const isUsual = sameLines(legend.shown, legend.usual)
  const firstCount = legend.data.first.length - 1 // without the yardstick
  const limit = firstCount > legend.most ? `: ${legend.most} of ${firstCount}` : ""
  if (rule) rule.textContent = isUsual ? rule.dataset.linesRule + limit : "lines chosen by hand"
  for (const old of host.querySelectorAll("button")) old.remove()
  host.firstElementChild.after(...legend.methods.map(chip),
    linkButton(`all ${count}`, () => legend.showMeant("all")),
    ...(isUsual ? [] : [linkButton("default lines", () => showUsual(legend))]))
}

/** The lines that the page begins with, on the next series, too. */
function showUsual(legend) {
  legend.show(new Set(legend.usual), { isKept: false })
  keep(legend.place, null)
}
