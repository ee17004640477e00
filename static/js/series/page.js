// The page of one series: its chart, and the keys that walk from fork to fork. Scripts of panels
// get the chart by the event `plateau:chart` on its figure.

import { createChart } from "../chart/chart.js";
import * as parts from "../chart/overlay.js";
import * as strip from "../chart/strip-parts.js";
import { onKeys } from "../shared/keyboard.js";

/** Control that each key of the page presses. */
const PRESSED = { previous: ".fork-walk [rel=prev]", next: ".fork-walk [rel=next]",
  table: "details:has(> #table) > summary" }

export function connect(figure) {
  const data = JSON.parse(document.getElementById("page-data")?.textContent ?? "{}")
  const chart = createChart(figure, { parts, strip })
  Object.assign(figure, { chart })
  figure.dispatchEvent(new CustomEvent("plateau:chart", { detail: chart, bubbles: true }))
  chart.show(data.series).catch((error) => chart.words.complain(error))
}

onKeys("series", (action) => {
  const control = PRESSED[action] && document.querySelector(PRESSED[action])
  control?.click()
  return control
})

const figure = document.querySelector("[data-chart]")
const current = document.querySelector(".fork-strip [aria-current]")
const forks = current?.closest("ol")
if (current && forks) forks.scrollLeft = current.offsetLeft - forks.clientWidth / 2
// This event waits for all modules of the page, however late: a panel's script hears of the chart.
if (figure) document.addEventListener("DOMContentLoaded", () => connect(figure))
