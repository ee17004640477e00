// A zoom of a figure whose page draws a part of it finer: asked for by the page's own form.

/** First and last iteration of a zoom; null of a change that is none. @returns {number[] | null} */
export function windowOf(change) {
  const edges = [change["xaxis.range[0]"], change["xaxis.range[1]"]]
  if (!edges.every(Number.isFinite)) return null
  const [from, to] = [Math.max(0, Math.ceil(edges[0])), Math.floor(edges[1])]
  return from < to ? [from, to] : null
}

/** Fills in the fields of the window and sends their form: "" for everything. */
function ask(names, values) {
  const form = document.querySelector("form[data-figure-window]")
  if (!form) return
  const fields = names.map((name) => form.elements.namedItem(name))
  if (fields.every((field, index) => field.value === String(values[index]))) return
  fields.forEach((field, index) => (field.value = values[index]))
  form.requestSubmit()
}

/** Connects a graph of Plotly: a drag shows that part finer, a double click everything. */
export function connectWindow(graph, names) {
  const shownRange = graph.layout.xaxis.range.map(Math.round)
  graph.on("plotly_relayout", (change) => {
    const newRange = windowOf(change)
    if (newRange && newRange.some((end, index) => end !== shownRange[index])) ask(names, newRange)
  })
  graph.on("plotly_doubleclick", () => ask(names, ["", ""]))
}
