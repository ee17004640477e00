// Range of the y-axis that is shown, and what it cuts off: by detectors/arrays/robust_range.py.

/** Version of the rule; a mark is kept with that of the view in which it was made. */
export const RULE = 2
/** Below so many pixels the band of the last half is hardly seen. */
export const LEAST_BAND = 16
const REACH = 7 // a running median is of a value and so many on either side
const TAIL = 0.002
const MARGIN = 0.25
const PAD = 0.05

/** Quantile of ascending values, by linear interpolation between order statistics. */
export function quantile(ascending, q) {
  const rank = q * (ascending.length - 1)
  const below = Math.floor(rank)
  const above = Math.min(below + 1, ascending.length - 1)
  return ascending[below] + (rank - below) * (ascending[above] - ascending[below])
}

/** Five per cent more on each side; a range without height gets some.
 * @returns {[number, number]} */
export function padded(lo, hi) {
  const pad = hi > lo ? PAD * (hi - lo) : PAD * Math.abs(hi) || 1
  return [lo - pad, hi + pad]
}

/** Puts `added` into the first `size` of `sorted`, which ascend. */
function insert(sorted, size, added) {
  let position = size
  while (position > 0 && sorted[position - 1] > added) sorted[position] = sorted[--position]
  sorted[position] = added
}

/** Medians of each value and seven on either side, at the ends of as many as there are. */
export function runningMedian(values) {
  const n = values.length
  const medians = new Float64Array(n)
  const sorted = new Float64Array(2 * REACH + 2)
  let size = 0
  for (let end = -REACH; end < n; end++) {
    if (end + REACH < n) insert(sorted, size++, values[end + REACH])
    if (end > REACH) {
      const leaving = sorted.indexOf(values[end - REACH - 1])
      sorted.copyWithin(leaving, leaving + 1, size--)
    }
    if (end >= 0) medians[end] = (sorted[(size - 1) >> 1] + sorted[size >> 1]) / 2
  }
  return medians
}

/** The band from 5 % to 95 % of the last half: values of it, the outermost one of few is not. */
export function band(values) {
  const half = Float64Array.from(values).subarray(Math.floor(values.length / 2)).sort()
  const inner = Math.floor((19 * (half.length - 1)) / 20)
  return [half[half.length - 1 - inner], half[inner]]
}

/** A band and a quarter of it on either side. @param {number[]} band */
const around = ([lo, hi]) => [lo - MARGIN * (hi - lo), hi + MARGIN * (hi - lo)]

/** The range that a band fills. */
export const plateau = (bandEnds) => {
  const [lo, hi] = around(bandEnds)
  return padded(lo, hi)
}

/** The range that shows the plateau: a level that lasts is in it, a single spike is not. */
export function robust(values) {
  if (values.length < 2 * REACH + 1) return padded(...extentOf(values))
  const medians = runningMedian(values).sort()
  const [bottom, top] = around(band(values))
  return padded(Math.min(quantile(medians, TAIL), bottom),
    Math.max(quantile(medians, 1 - TAIL), top))
}

/** Least and greatest of values. @returns {[number, number]} */
export function extentOf(values) {
  let [lo, hi] = [values[0], values[0]]
  for (let i = 1; i < values.length; i++) {
    if (values[i] < lo) lo = values[i]
    if (values[i] > hi) hi = values[i]
  }
  return [lo, hi]
}

/** A padded range as powers of ten; `least`, above zero, is the least value that is shown. */
export function logarithmic([lo, hi], least) {
  const bottom = Math.log10(lo > 0 ? lo : least * 0.95)
  return [bottom, Math.log10(hi)]
}

/** Points in view that a range cuts off: how many, and the farthest of each side. */
export function cutOff(x, y, [lo, hi]) {
  const above = []
  const below = []
  let highest = -1
  let lowest = -1
  for (let k = 0; k < y.length; k++) {
    if (y[k] > hi) {
      above.push(x[k])
      if (highest < 0 || y[k] > y[highest]) highest = k
    } else if (y[k] < lo) {
      below.push(x[k])
      if (lowest < 0 || y[k] < y[lowest]) lowest = k
    }
  }
  const pointAt = (k) => (k < 0 ? null : { index: x[k], value: y[k] })
  return { above, below, highest: pointAt(highest), lowest: pointAt(lowest) }
}

/** Pixels that a band takes in a range as it is drawn: powers of ten where the axis has them. */
export function bandPixels([lo, hi], { range: [bottom, top], log,
  height }) {
  const [a, b] = log ? [Math.log10(lo), Math.log10(hi)] : [lo, hi]
  return (height * (b - a)) / (top - bottom)
}
