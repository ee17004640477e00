// Lanes of events under a series that is answered: only where its campaign shows them.

import { EventLanes } from "../chart/event-lanes.js";
import { address } from "./series.js";

/** Shows the lanes of a position, or none; null for a campaign without them. */
export function connectEvents({ chart, http, urls }, host) {
  if (!urls["annotate-events"]) return null
  const lanes = new EventLanes(host, chart)
  let wanted = 0
  return async (position) => {
    wanted = position
    lanes.show([])
    const { status, body } = await http.get(address(urls, "annotate-events", position))
    if (wanted === position && status === 200) lanes.show(body.lanes)
  }
}
