// Drawing with Plotly, in one way: the only module that names it.

import { html } from "./elements.js";

// Every key each time: what one drawing leaves out, Plotly keeps from the one before.
const CONFIG = {
  displayModeBar: false, displaylogo: false, showSendToCloud: false, staticPlot: false,
    responsive: false, doubleClick: false, scrollZoom: false, locale: "en",
}

let loading

function fetched(address) {
  return new Promise((resolve, reject) => {
    const error = () => reject(new Error(`${address} could not be loaded.`))
    document.head.append(html("script", { src: address, load: resolve, error }))
  })
}

export const plotter = {
  get isReady() {
    return Boolean(globalThis.Plotly)
  },
  /** Resolves once the library is there: on pages that do not name it in their head. */
  load: (address) => (loading ??= plotter.isReady ? Promise.resolve() : fetched(address)),
  plot: (graph, { data, layout }, options = {}) =>
    globalThis.Plotly.react(graph, data, layout, { ...CONFIG, ...options }),
  /** The drawing as an address of data. @param {{format: string, scale?: number}} options */
  image: (graph, options) => globalThis.Plotly.toImage(graph, options),
}
