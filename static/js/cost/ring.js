// The ring around the chosen point of a figure. No DOM.

/** Moves the ring of a figure around the point of a method. */
export function ringed({ data }, name) {
  const points = data.find((trace) => trace.ids)
  const at = points.ids.indexOf(name)
  return data.map((trace) => (trace.meta?.ring
    ? { ...trace, x: [points.x[at]], y: [points.y[at]] } : trace))
}
