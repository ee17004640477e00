// Points of a picture: every value of a few, figures of each bucket of many; no averages.

/** Up to so many values are drawn one by one. */
export const DRAW_ALL = 6000
/** A bucket is two pixels wide, and never of fewer values than this. */
const BUCKET = { pixels: 2, values: 20 }
/** Upper ends of a bucket's bands: from 25 to 75 %, from 5 to 95 %. */
const UPPER = [[3, 4], [19, 20]]

/**
 * @typedef {{x: ArrayLike<number>, quantiles: ArrayLike<number>[]}} Bands middle of each bucket;
 *   its values at 5, 25, 50, 75 and 95 %
 * @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, exact: boolean, bands: Bands | null}}
 *   Points every value, or the extremes of buckets at their true indices; in units of the
 *   payload: value / scale
 */

export const bucketsIn = (count, width) => Math.max(1,
  Math.min(Math.round(width / BUCKET.pixels), Math.floor(count / BUCKET.values)))

/** First index of bucket k of `w` over [a, b). */
const edge = (a, b, w, k) => a + Math.floor(((b - a) * k) / w)

/** Ranks of the five quantiles in a bucket whose last value has this number. */
export function quantilePlaces(last) {
  const [quarter, outermost] = UPPER.map(([up, of]) => Math.floor((up * last) / of))
  return [last - outermost, last - quarter, Math.floor(last / 2), quarter, outermost]
}

/** Five quantiles of each of `w` buckets over [a, b), and the first places of its extremes. */
export function bucketFigures(y, a, b, w) {
  const quantiles = Array.from({ length: 5 }, () => new Float64Array(w))
  const least = new Uint32Array(w)
  const greatest = new Uint32Array(w)
  for (let k = 0; k < w; k++) {
    const [start, end] = [edge(a, b, w, k), edge(a, b, w, k + 1)]
    least[k] = greatest[k] = start
    for (let i = start + 1; i < end; i++) {
      if (y[i] < y[least[k]]) least[k] = i
      if (y[i] > y[greatest[k]]) greatest[k] = i
    }
    const sorted = y.slice(start, end).sort()
    for (const [row, rank] of quantilePlaces(end - start - 1).entries())
      quantiles[row][k] = sorted[rank]
  }
  return { quantiles, least, greatest }
}

/** Buckets as points: extremes in the order of their indices, once where they are one value.
 * @param {{quantiles: ArrayLike<number>[], least: ArrayLike<number>,
 *   greatest: ArrayLike<number>}} figures @param {number[]} range
 * @param {(bucket: number, isGreatest: boolean) => number} valueOf @returns {Points} */
export function bandPoints({ quantiles, least, greatest }, [a, b], valueOf) {
  const w = least.length
  const middle = Float64Array.from(quantiles[0], (_, k) =>
    (edge(a, b, w, k) + edge(a, b, w, k + 1) - 1) / 2)
  const x = []
  const y = []
  for (let k = 0; k < w; k++) {
    const isRising = least[k] < greatest[k]
    x.push(isRising ? least[k] : greatest[k])
    y.push(valueOf(k, !isRising))
    if (least[k] === greatest[k]) continue
    x.push(isRising ? greatest[k] : least[k])
    y.push(valueOf(k, isRising))
  }
  return { x, y, exact: false, bands: { x: middle, quantiles } }
}

/** The outline of a band: along its upper end, and back along its lower one. */
export const outlineOf = (x, low, high) => ({ x: [...x, ...[...x].reverse()],
  y: [...high, ...[...low].reverse()] })

/** Points of [a, b) of these values for `width` pixels; `firstIndex` is the index of the first.
 * @returns {Points} */
export function drawnPoints(values, a, b, width, firstIndex = 0) {
  if (b - a <= DRAW_ALL)
    return { x: Array.from({ length: b - a }, (_, index) => firstIndex + a + index),
      y: Array.from(values.subarray(a, b)), exact: true, bands: null }
  const figures = bucketFigures(values, a, b, bucketsIn(b - a, width))
  const { least, greatest } = figures
  const shifted = { ...figures, least: least.map((index) => index + firstIndex),
    greatest: greatest.map((index) => index + firstIndex) }
  return bandPoints(shifted, [firstIndex + a, firstIndex + b], (k, isGreatest) =>
    values[(isGreatest ? greatest : least)[k]])
}

/** Points in a window, without the neighbours that carry the line to the edge; all, if none is. */
export function within({ x, y }, [from, to]) {
  let a = 0
  let b = x.length
  while (a < b && x[a] < from) a++
  while (b > a && x[b - 1] >= to) b--
  if (a === b) return { x, y }
  const part = (array) => Array.prototype.slice.call(array, a, b)
  return { x: part(x), y: part(y) }
}
