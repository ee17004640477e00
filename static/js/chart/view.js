// Which iterations are in view. Windows are [from, to) of whole iterations, never fewer than LEAST.

export const LEAST = 20
const FACTOR = 1.2

/** A window [from, to) within the series, whole and wide enough. @returns {[number, number]} */
export function clamp(from, to, n) {
  const width = Math.round(Math.min(Math.max(to - from, Math.min(LEAST, n)), n))
  const start = Math.min(Math.max(Math.round(from), 0), n - width)
  return [start, start + width]
}

/** Zoom around an iteration, which keeps its place on the screen. A factor above one zooms in. */
export function zoom([from, to], at, n, factor = FACTOR) {
  const share = (at - from) / (to - from)
  const width = Math.min(Math.max((to - from) / factor, Math.min(LEAST, n)), n)
  const [start, end] = clamp(at - share * width, at - share * width + width, n)
  // Rounding must not stop a zoom: at least one iteration is gained or lost while there is one.
  if (end - start !== to - from || factor === 1) return ([start, end])
  return factor > 1 ? clamp(start, end - 1, n) : clamp(start, end + 1, n)
}

/** @param {[number, number]} window @param {number} distance iterations, positive to the right */
export const pan = ([from, to], distance, n) => clamp(from + distance, to + distance, n)

/** The window that shows an iteration: the same, or one of equal width around it.
 * @returns {[number, number]} */
export const reveal = ([from, to], index, n) =>
  index >= from && index < to ? ([from, to]) : clamp(index - (to - from) / 2, index
    + (to - from) / 2, n)

/** Range of the x-axis for a window. @returns {[number, number]} */
export const axis = ([from, to]) => [from - 0.5, to - 0.5]

/** @typedef {"robust" | "window" | "full" | "plateau"} Mode */
export const MODES = ["robust", "window", "full", "plateau"]

/** The mode after this one. */
export const nextMode = (mode) => MODES[(MODES.indexOf(mode) + 1) % MODES.length]
