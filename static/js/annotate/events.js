// Lanes of events under a series that is answered: only where its campaign shows them.

import { EventLanes } from "../chart/event-lanes.js";
import { address } from "./series.js";

/** Gives what shows the lanes of a position. */
export function connectEvents({ chart, http, urls }, host) {
  const lanes = new EventLanes(host, chart)
  let shownPosition = 0
  return async (position) => {
    shownPosition = position
    lanes.show([])
    const { status, body } = await http.get(address(urls, "annotate-events", position))
    if (shownPosition !== position || status !== 200) return
    lanes.show(body.lanes)
    // The plot makes room, so that the answer stays in view
    chart.root.style.setProperty("--lanes", `${host.offsetHeight}px`)
    chart.redraw()
  }
}
