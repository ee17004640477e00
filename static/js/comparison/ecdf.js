// Reading distribution functions of |Δ|: shares at a distance, and distances under a pixel. No DOM.

/** @typedef {{left: number, right: number, end: number}} Plot end: decades of 1 + |Δ| */
/** @typedef {{sizes: number[], counts: number[]}} Steps counts[i] series err by at most sizes[i] */

/** Steps from what a page carries: iterations and series since the step before. @returns {Steps} */
export function steps(increments) {
  const found = /** @type {Steps} */ ({ sizes: [], counts: [] })
  let size = 0
  let count = 0
  for (let at = 0; at < increments.length; at += 2) {
    found.sizes.push((size += increments[at]))
    found.counts.push((count += increments[at + 1]))
  }
  return found
}

/** How many series err by at most `size`. @param {Steps} steps */
export function countAt({ sizes, counts }, size) {
  let low = 0
  let high = sizes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sizes[middle] <= size) low = middle + 1
    else high = middle
  }
  return low ? counts[low - 1] : 0
}

/** The largest whole distance on the axis. */
export const most = (/** @type {Plot} */ { end }) => Math.max(0, Math.round(10 ** end - 1))

/** The whole distance under a pixel. @param {Plot} plot */
export function toSize(px, plot) {
  const share = (px - plot.left) / (plot.right - plot.left)
  return Math.min(Math.max(Math.round(10 ** (share * plot.end) - 1), 0), most(plot))
}

/** The pixel of a distance. @param {Plot} plot */
export const toPx = (size, { left, right, end }) => left
  + ((right - left) * Math.log10(1 + Math.min(size, 10 ** end - 1))) / end

/** Round distances, for the larger steps of the keyboard. */
const ROUND = [0, ...Array.from({ length: 8 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power)).flat()]

/** Where a key leads from a distance; null for a key that is none of a slider's. */
export function moved(size, { key, shiftKey = false }, top) {
  const step = shiftKey ? 10 : 1
  /** @type {Record<string, () => number>} */
  const ways = {
    ArrowLeft: () => size - step,
    ArrowDown: () => size - step,
    ArrowRight: () => size + step,
    ArrowUp: () => size + step,
    PageUp: () => ROUND.find((each) => each > size) ?? top,
    PageDown: () => ROUND.findLast((each) => each < size) ?? 0,
    Home: () => 0,
    End: () => top,
  }
  return ways[key] ? Math.min(Math.max(ways[key](), 0), top) : null
}

/** Every curve at a distance, the highest share first; equal ones in their own order. */
export function readings(curves, n, size) {
  const found = Object.entries(curves).map(([name, each]) =>
    ({ name, share: n ? countAt(each, size) / n : 0 }))
  return found.sort((a, b) => b.share - a.share)
}
