// Which values a picture needs: all of a few, extremes of each bucket of many; no averages.

/** Up to so many values are drawn one by one. */
export const DRAW_ALL = 6000

/** First index of the least and greatest of each of `w` buckets over [a, b), once if equal. */
export function minmax(y, a, b, w) {
  const found = []
  for (let k = 0; k < w; k++) {
    const start = a + Math.floor(((b - a) * k) / w)
    const end = a + Math.floor(((b - a) * (k + 1)) / w)
    if (end <= start) continue
    let least = start
    let most = start
    for (let i = start + 1; i < end; i++) {
      if (y[i] < y[least]) least = i
      if (y[i] > y[most]) most = i
    }
    if (least === most) found.push(least)
    else found.push(Math.min(least, most), Math.max(least, most))
  }
  return found
}

/** Indices drawn for [a, b) in `width` pixels: all, or minmax with the first and last value. */
export function drawn(y, a, b, width) {
  if (b - a <= DRAW_ALL) return Array.from({ length: b - a }, (_, at) => a + at)
  const found = minmax(y, a, b, Math.max(1, Math.round(width)))
  if (found[0] !== a) found.unshift(a)
  if (found[found.length - 1] !== b - 1) found.push(b - 1)
  return found
}

/** Points in a window, without the neighbours that carry the line to the edge; all, if none is. */
export function within({ x, y }, [from, to]) {
  let a = 0
  let b = x.length
  while (a < b && x[a] < from) a++
  while (b > a && x[b - 1] >= to) b--
  if (a === b) return { x, y }
  const part = (/** @type {ArrayLike<number>} */ all) => Array.prototype.slice.call(all, a, b)
  return { x: part(x), y: part(y) }
}
