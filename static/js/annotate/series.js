// @ts-check
// One series of the queue as the chart takes it, and its address.

/**
 * @typedef {object} Task what the server says of one series
 * @property {number} position
 * @property {string} name empty where the campaign hides names
 * @property {number} n
 * @property {string} digest
 * @property {number} scale
 * @property {string} unit
 * @property {string} quantity
 * @property {boolean} hidden figures are not to be shown
 * @property {number} robust_low
 * @property {number} robust_high
 * @property {string} payload
 * @property {string} window
 * @property {(import("./marks.js").Answer & {revision: number}) | null} mine
 * @property {string} question of somebody who asks for another look; mostly empty
 */

/** @param {Task} task */
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

/** Addresses of the page, made for position 0. @param {Record<string, string>} urls @param {string} name @param {number} position */
export const address = (urls, name, position) => urls[name].replace("/annotate/0/", `/annotate/${position}/`)

/** What is kept of the view with an answer. @param {{from: number, to: number, mode: string, log: boolean, width: number, ratio: number}} view */
export const kept = ({ from, to, mode, log, width, ratio }) => ({ from, to, y: mode, log, width, ratio })

/** Shows a kept view again. @param {any} chart @param {any} view */
export function restore(chart, view) {
  if (!view) return
  if (view.y !== "robust") chart.setYMode(view.y)
  if (view.log) chart.setLog(true)
  if (view.from !== 0 || view.to !== chart.n) chart.setWindow(view.from, view.to)
}
