// Lanes of events on the page of a series: under its chart.

import { EventLanes } from "../chart/event-lanes.js";
import { html } from "../shared/elements.js";

document.addEventListener("plateau:chart", (event) => {
  const lanes = JSON.parse(document.getElementById("event-lanes")?.textContent ?? "[]")
  const host = html("div", { class: "event-lanes" })
  const { target, detail: chart } = /** @type {CustomEvent & {target: HTMLElement}} */ (event)
  target.querySelector("[data-chart-evidence]")?.before(host)
  new EventLanes(host, chart).show(lanes)
})
