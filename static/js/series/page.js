// @ts-check
// The page of one series: its chart, and the keys that walk from fork to fork. Scripts of panels get the
// chart by the event `plateau:chart` on its figure, or later as `figure.chart`.

import { createChart } from "../chart.js";
import { actionOf, nameOf } from "../keys.js";

/** What each key of the page presses. @type {Record<string, string>} */
const PRESSED = { previous: ".fork-walk [rel=prev]", next: ".fork-walk [rel=next]", table: "[data-values] > summary" }

/** @param {HTMLElement} figure */
export function connect(figure) {
  const data = JSON.parse(document.getElementById("page-data")?.textContent ?? "{}")
  const chart = createChart(figure)
  Object.assign(figure, { chart })
  figure.dispatchEvent(new CustomEvent("plateau:chart", { detail: chart, bubbles: true }))
  chart.show(data.series).catch((error) => chart.words.complain(error))
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target)
  if (event.defaultPrevented || target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return
  if (document.documentElement.dataset.singleKeys === "off") return
  const selector = PRESSED[actionOf("series", nameOf(event)) ?? ""]
  const found = selector && /** @type {HTMLElement?} */ (document.querySelector(selector))
  if (!found) return
  event.preventDefault()
  found.click()
})

const figure = /** @type {HTMLElement?} */ (document.querySelector("[data-chart]"))
// After all modules have run, so that a panel's script hears of the chart.
if (figure) queueMicrotask(() => setTimeout(() => connect(figure)))
