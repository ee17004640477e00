// Reading distribution functions of |Δ|: shares at a distance, and distances under a pixel. No DOM.

/** @typedef {{left: number, right: number, end: number}} Plot end: decades of 1 + |Δ| */
/** @typedef {{sizes: number[], shares: number[]}} Steps shares[i] % err by at most sizes[i] */

/** The curves of the figure, by method: its axis is 1 + |Δ|. @returns {Record<string, Steps>} */
export function curvesOf({ data }) {
  return Object.fromEntries(data.filter((trace) => trace.legendgroup).map((trace) =>
    [trace.legendgroup, { sizes: trace.x.map((x) => x - 1), shares: trace.y }]))
}

/** Share of series that err by at most `size`, in percent. @param {Steps} steps */
export const shareAt = ({ sizes, shares }, size) =>
  shares[sizes.findLastIndex((step) => step <= size)] ?? 0

/** The largest whole distance on the axis. */
export const largestSize = ({ end }) => Math.max(0, Math.round(10 ** end - 1))

/** The whole distance under a pixel. @param {Plot} plot */
export function toSize(px, plot) {
  const share = (px - plot.left) / (plot.right - plot.left)
  return Math.min(Math.max(Math.round(10 ** (share * plot.end) - 1), 0), largestSize(plot))
}

/** The pixel of a distance. */
export const toPx = (size, { left, right, end }) => left
  + ((right - left) * Math.log10(1 + Math.min(size, 10 ** end - 1))) / end

/** Round distances, for the larger steps of the keyboard. */
const ROUND = [0, ...Array.from({ length: 8 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power)).flat()]

/** Distance to which a key leads; null for a key that no slider has. */
export function sizeAfterKey(size, { key, shiftKey = false }, top) {
  const step = shiftKey ? 10 : 1
  const ways = {
    ArrowLeft: () => size - step,
    ArrowDown: () => size - step,
    ArrowRight: () => size + step,
    ArrowUp: () => size + step,
    PageUp: () => ROUND.find((step) => step > size) ?? top,
    PageDown: () => ROUND.findLast((step) => step < size) ?? 0,
    Home: () => 0,
    End: () => top,
  }
  return ways[key] ? Math.min(Math.max(ways[key](), 0), top) : null
}

/** Acts on the distance to which a key of a slider leads. @param {Plot} plot */
export function onKey(event, from, plot, act) {
  const size = event.ctrlKey || event.altKey || event.metaKey ? null
    : sizeAfterKey(from, event, largestSize(plot))
  if (size === null) return
  event.preventDefault()
  act(size)
}

/** Every curve at a distance, the highest share first; equal ones in their own order. */
export function readings(curves, size) {
  const curveReadings = Object.entries(curves).map(([name, curve]) =>
    ({ name, share: shareAt(curve, size) }))
  return curveReadings.sort((a, b) => b.share - a.share)
}

/** The curve nearest to a share at a distance; "" where there is none. */
export function nearest(curves, size, share) {
  const distanceOf = (reading) => Math.abs(reading.share - share)
  const found = readings(curves, size).sort((a, b) => distanceOf(a) - distanceOf(b))
  return found[0]?.name ?? ""
}
