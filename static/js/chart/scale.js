// Between pixels and iterations.

/** Iteration under a pixel in the coordinates of `left`: the nearest one, within the series. */
export function toIteration(px, { left, width, range: [a, b], n }) {
  const x = a + ((px - left) / width) * (b - a)
  return Math.min(Math.max(Math.floor(x + 0.5), 0), n - 1)
}

/** Pixels from the plot's left edge to an iteration. */
export const toPixel = (index, { width, range: [a, b] }) => ((index - a) / (b - a)) * width

/** How exactly a click on this plot can place a mark: iterations per pixel, halved. */
export const precision = ({ width, range: [a, b] }) => Math.round((b - a) / width / 2)
