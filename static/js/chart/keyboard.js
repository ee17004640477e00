// Keys and buttons of a chart, and pointing at its lines by their labels.

import { onKeys } from "../shared/keyboard.js";

/** Listens for a chart. */
export function connectKeys(chart) {
  const { root, options, places: { stages } } = chart
  if (options.keys) onKeys(options.keys, (action) => chart.act(action))

  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-chart-act]")
    if (button) chart.act(button.dataset.chartAct)
    button?.closest("details[data-menu]")?.removeAttribute("open")
  })

  const lineOf = (event) => {
    const control = event.target.closest?.(".line-label, .chart-more [data-line]")
    return control ? control.getAttribute("data-line").split(" ")[0] : null
  }
  const raise = (id) => {
    chart.highlight(id)
    options.onLine?.(id)
  }
  // Asked of the whole document: a label that was drawn anew under the pointer never says that it
  // was left.
  let hovered = false
  document.addEventListener("pointerover", (event) => {
    const id = stages.contains(event.target) ? lineOf(event) : null
    if (id || hovered) raise(id)
    hovered = id !== null
  })
  chart.look.strip?.connectStrip(chart)
  stages.addEventListener("focusin", (event) => lineOf(event) && raise(lineOf(event)))
  stages.addEventListener("focusout", (event) => lineOf(event) && raise(null))
}
