// Drawing with Plotly, in one way: the only module that names it.

// Every key each time: what one drawing leaves out, Plotly keeps from the one before.
const CONFIG = {
  displayModeBar: false, displaylogo: false, showSendToCloud: false, staticPlot: false,
    responsive: false, doubleClick: false, scrollZoom: false, locale: "en",
}

export const plotter = {
  plot: (graph, { data, layout }, more = {}) =>
    globalThis.Plotly.react(graph, data, layout, { ...CONFIG, ...more }),
  purge: (graph) => globalThis.Plotly.purge(graph),
}
