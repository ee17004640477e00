// Between pixels and iterations.

import { axis } from "./view.js";

/** Iteration under a pixel in the coordinates of `left`: the nearest one, within the series. */
export function toIteration(px, { left, width, range: [a, b], n }) {
  const x = a + ((px - left) / width) * (b - a)
  return Math.min(Math.max(Math.floor(x + 0.5), 0), n - 1)
}

/** Pixels from the plot's left edge to an iteration. */
export const toPixel = (index, { width, range: [a, b] }) => ((index - a) / (b - a)) * width

/** Pixels of a stage at an iteration of this window, whose plot begins at `left`. */
export const xOf = ({ left, width }, window) => (index) =>
  left + toPixel(index, { width, range: axis(window) })

/** Precision of a click on this plot: iterations per pixel, halved. */
export const precision = ({ width, range: [a, b] }) => Math.round((b - a) / width / 2)
