// The y-axis of a stage: which range its mode asks for, and whether the plateau is seen in it.

import { bandPixels, LEAST_BAND, logarithmic, padded, plateau } from "./range.js";

/** Range of a linear axis in units of the payload. */
export function linearRange({ mode, source, series, moving, linear, window }) {
  if (mode === "full") return padded(...source.extent)
  if (mode === "plateau") return plateau(source.band)
  if (mode === "window") {
    // While the window moves, and until the server has said its range, the last one stands.
    const ends = moving ? linear : source.range(...window) ?? linear
    if (ends) return ends
  }
  const { robust, scale } = series
  return robust ? robust.map((value) => value / scale) : source.range(0, source.n)
}

/** The same as it is drawn: powers of ten on a logarithmic axis. */
export const yRange = (linear, log, { y }) =>
  (log ? logarithmic(linear, Math.min(...Array.from(y))) : linear)

/** Height of the last half's band in pixels where it is hardly seen and could be; else null. */
export function flatPixels({ mode, source, window, plot, yAxis, log }) {
  const [lo, hi] = source.band
  if (mode === "plateau" || hi <= lo || window[1] <= source.n / 2) return null
  const pixels = bandPixels([lo, hi], { range: yAxis, log, height: plot.height })
  return pixels < LEAST_BAND ? Math.max(1, Math.round(pixels)) : null
}
