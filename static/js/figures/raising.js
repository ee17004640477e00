// One method of a figure raised above the others: its curve, its points, its label. No DOM.

const QUIET = "var(--rule)"
const HALO = { color: "var(--bg)", width: 6, dash: "solid" }

const FAINT = 0.2

/** Names of the methods that a figure can raise: of a curve, of points, of rows and columns. */
export const names = ({ data }) => data.flatMap((trace) =>
  trace.legendgroup ?? trace.ids ?? trace.meta?.sources ?? [])

/** A figure with one method raised; "" leaves each in its own colour. */
export function raised(figure, name) {
  if (!names(figure).includes(name)) return figure
  const ownTraces = figure.data.filter((trace) => trace.legendgroup === name)
  const otherTraces = figure.data.filter((trace) => trace.legendgroup !== name)
  const above = ownTraces.flatMap((trace) => [
    { ...trace, line: { ...trace.line, ...HALO } },
    { ...trace, line: { ...trace.line, width: 2.5 } },
  ])
  const quietTraces = otherTraces.flatMap((trace) => quiet(trace, name, ownTraces[0]))
  return { ...figure, data: [...quietTraces, ...above] }
}

/** Trace of another method while one is raised. */
function quiet(trace, name, ownTrace) {
  if (trace.legendgroup) return [{ ...trace, line: { ...trace.line, color: QUIET, width: 1 } }]
  if (trace.meta?.leads) return [trace, leading(trace, name, ownTrace)]
  if (trace.ids || trace.meta?.sources) return [faded(trace, name)]
  return [trace]
}

/** The raised method's own line from its curve to its label: one of three points each. */
function leading(trace, name, ownTrace) {
  const leadIndex = 3 * trace.meta.leads.indexOf(name)
  const ends = [leadIndex, leadIndex + 2]
  return { ...trace, x: trace.x.slice(...ends), y: trace.y.slice(...ends),
    line: { ...trace.line, color: ownTrace.line.color } }
}

/** Points of the other methods fade, and their labels, if they have any. */
function faded(trace, name) {
  const isOwn = ownPoints(trace, name)
  const pointwise = (yes, no) => isOwn.map((is) => (is ? yes : no))
  const opacity = trace.marker?.opacity ?? 1
  const text = trace.mode?.includes("text")
    && { color: pointwise("var(--ink)", "var(--ink-3)"), weight: pointwise(600, 400) }
  return {
    ...trace,
    marker: { ...trace.marker, opacity: pointwise(opacity, FAINT * opacity) },
    ...(text ? { textfont: { ...trace.textfont, ...text } } : {}),
  }
}

/** Mask of the points of a method: in a map of pairs those of its row and its column. */
function ownPoints({ ids, meta, y }, name) {
  if (ids) return ids.map((id) => id === name)
  const { sources } = meta
  const index = sources.indexOf(name)
  return y.map((row, cell) => row === index || cell % sources.length === index)
}
