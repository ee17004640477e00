// One series of the queue as the chart takes it, and its address.

import { RULE } from "../chart/range.js";

/**
 * @typedef {{position: number, name: string, description: string, n: number, digest: string,
 *   scale: number, unit: string, quantity: string, hidden: boolean, robust_low: number,
 *   robust_high: number, payload: string, window: string,
 *   mine: (import("./marks.js").Answer & {revision: number}) | null,
 *   question: string}} Task what the server says of a series; name: empty where names are hidden;
 *   hidden: figures are; question: of somebody who asks for a new answer, mostly empty
 */

export const forChart = (task) => ({
  n: task.n,
  digest: task.digest,
  scale: task.scale,
  unit: task.unit,
  quantity: task.quantity,
  hideValues: task.hidden,
  robust: [task.robust_low, task.robust_high],
  payloadUrl: task.payload,
  windowUrl: task.window,
  label: `Series ${task.position}, ${task.n} iterations`,
})

/** Addresses of the page, made for position 0. @param {Record<string, string>} urls */
export const address = (urls, name, position) =>
  urls[name].replace("/annotate/0/", `/annotate/${position}/`)

/** View that is kept with an answer, and the rule by which its range was found. */
export const keptView = ({ from, to, mode, log, width, ratio }) =>
  ({ from, to, y: mode, rule: RULE, log, width, ratio })

/** Shows a kept view again. */
export function restore(chart, view) {
  if (!view) return
  if (view.y !== "robust") chart.setYMode(view.y)
  if (view.log) chart.setLog(true)
  if (view.from !== 0 || view.to !== chart.n) chart.setWindow(view.from, view.to)
}
