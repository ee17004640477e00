// One method of a figure raised above the others: its curve, its label, its line between. No DOM.

const QUIET = "var(--rule)"
const HALO = { color: "var(--bg)", width: 6, dash: "solid" }

/** Names of the methods that a figure can raise. */
export const names = ({ data }) => data.flatMap((trace) => trace.legendgroup ?? [])

/** A figure with one method raised; "" leaves each in its own colour. */
export function raised(figure, name) {
  if (!names(figure).includes(name)) return figure
  const own = figure.data.filter((trace) => trace.legendgroup === name)
  const others = figure.data.filter((trace) => trace.legendgroup !== name)
  const above = own.flatMap((trace) => [
    { ...trace, line: { ...trace.line, ...HALO } },
    { ...trace, line: { ...trace.line, width: 2.5 } },
  ])
  return { ...figure, data: [...others.flatMap((trace) => quiet(trace, name, own[0])), ...above] }
}

/** What another trace becomes. */
function quiet(trace, name, own) {
  if (trace.legendgroup) return [{ ...trace, line: { ...trace.line, color: QUIET, width: 1 } }]
  if (trace.meta?.leads) return [trace, leading(trace, name, own)]
  if (trace.ids) return [labelled(trace, name)]
  return [trace]
}

/** The raised method's own line from its curve to its label: one of three points each. */
function leading(trace, name, own) {
  const at = 3 * trace.meta.leads.indexOf(name)
  return { ...trace, x: trace.x.slice(at, at + 2), y: trace.y.slice(at, at + 2),
    line: { ...trace.line, color: own.line.color } }
}

function labelled(trace, name) {
  const mine = (yes, no) => trace.ids.map((id, at) => (id === name ? yes(at) : no(at)))
  return {
    ...trace,
    marker: { ...trace.marker, color: mine((at) => trace.marker.color[at], () => "var(--ink-3)") },
    textfont: { ...trace.textfont, color: mine(() => "var(--ink)", () => "var(--ink-3)"),
      weight: mine(() => 600, () => 400) },
  }
}
