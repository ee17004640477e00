// Which part of the y-axis is shown, and what it cuts off.

const OUTER = 0.005
const FENCE = 0.25
const PAD = 0.05

/** Quantile of ascending values, by linear interpolation between order statistics. */
export function quantile(ascending, q) {
  const at = q * (ascending.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, ascending.length - 1)
  return ascending[below] + (at - below) * (ascending[above] - ascending[below])
}

/** Five per cent more on each side; a range without height gets some. */
export function padded(lo, hi) {
  const pad = hi > lo ? PAD * (hi - lo) : PAD * Math.abs(hi) || 1
  return [lo - pad, hi + pad]
}

/** The range that shows the plateau: noise loses nothing, a spike does. */
export function robust(values) {
  const ascending = Float64Array.from(values).sort()
  const a = quantile(ascending, OUTER)
  const b = quantile(ascending, 1 - OUTER)
  const fence = FENCE * (b - a)
  const lo = ascending.find((value) => value >= a - fence) ?? a
  const hi = ascending.findLast((value) => value <= b + fence) ?? b
  return padded(lo, hi)
}

/** Everything in [from, to), padded. */
export function full(values, from = 0, to = values.length) {
  let lo = values[from]
  let hi = values[from]
  for (let i = from + 1; i < to; i++) {
    if (values[i] < lo) lo = values[i]
    if (values[i] > hi) hi = values[i]
  }
  return padded(lo, hi)
}

/** A padded range as powers of ten; `least`, above zero, is the least value that is shown. */
export function logarithmic([lo, hi], least) {
  const bottom = Math.log10(lo > 0 ? lo : least * 0.95)
  return [bottom, Math.log10(hi)]
}

/** What a range cuts off, among points in view: how many, and the farthest of each side. */
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
  const at = (k) => (k < 0 ? null : { index: x[k], value: y[k] })
  return { above, below, highest: at(highest), lowest: at(lowest) }
}
