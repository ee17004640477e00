// @ts-check
// Keys and buttons of a chart, and pointing at its lines by their labels.

import { actionOf, nameOf } from "../keys.js";

const WRITING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]"
const MOVING = /^(Shift\+)?Arrow/

/** Whether a key means the chart: nothing else has a use for it. */
function isForChart(/** @type {KeyboardEvent} */ event, /** @type {HTMLElement} */ surface, /** @type {string} */ name) {
  const target = /** @type {HTMLElement} */ (event.target)
  if (event.defaultPrevented || target.matches(WRITING) || document.querySelector("dialog[open]")) return false
  if (MOVING.test(name)) return target === surface || target === document.body || target.id === "content"
  return document.documentElement.dataset.singleKeys !== "off"
}

/** Listens for a chart; gives the way to stop. A type that pointed back to chart.js would close a circle. */
export function connectKeys(/** @type {any} */ chart) {
  const { root, options } = chart
  const ends = new AbortController()
  const listen = (/** @type {EventTarget} */ where, /** @type {string} */ what, /** @type {(event: any) => void} */ act) =>
    where.addEventListener(what, act, { signal: ends.signal })

  if (options.keys)
    listen(document, "keydown", (event) => {
      const name = nameOf(event)
      if (isForChart(event, chart.stage.surface, name) && chart.act(actionOf(options.keys, name) ?? "")) event.preventDefault()
    })

  listen(root, "click", (event) => {
    const button = event.target.closest("[data-chart-act]")
    if (button) chart.act(button.dataset.chartAct)
    button?.closest("details[data-menu]")?.removeAttribute("open")
  })

  const lineOf = (/** @type {Event} */ event) => {
    const found = /** @type {Element} */ (event.target).closest?.(".line-label, .chart-more [data-line]")
    return found ? /** @type {string} */ (found.getAttribute("data-line")).split(" ")[0] : null
  }
  const raise = (/** @type {string | null} */ id) => {
    chart.highlight(id)
    options.onLine?.(id)
  }
  // Asked of the whole document: a label that was drawn anew under the pointer never says that it was left.
  let hovered = false
  listen(document, "pointerover", (event) => {
    const id = chart.places.stages.contains(event.target) ? lineOf(event) : null
    if (id || hovered) raise(id)
    hovered = id !== null
  })
  listen(chart.places.stages, "focusin", (event) => lineOf(event) && raise(lineOf(event)))
  listen(chart.places.stages, "focusout", (event) => lineOf(event) && raise(null))
  return () => ends.abort()
}
