// Values of a series: fetched once by digest, kept, asked for in windows when very many.

import { drawn } from "./decimate.js";

/** Above so many values the server sends least and greatest of buckets. */
export const WINDOWED = 200_000
/** Below so many values in view the values themselves are asked for. */
const RAW = 20_000
const BUCKETS = 4096
const KEPT = 12

/**
 * @typedef {{n: number, scale?: number, digest: string, payloadUrl: string, windowUrl?: string,
 *   values?: ArrayLike<number>}} Series
 * @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, exact: boolean}} Points y in units of the
 *   payload: value / scale
 */

/** Values that did not arrive; the message is a sentence for the page. */
export class PayloadError extends Error {
  constructor(message, status = 0) {
    super(message)
    this.name = "PayloadError"
    this.status = status
  }
}

/** @type {Map<string, Promise<Source>>} */
const kept = new Map()

/** The source of a series' values: from memory, or fetched; a failure is not kept. */
export function load(/** @type {Series} */ series) {
  const known = kept.get(series.digest)
  if (known) return known
  const made = open(series)
  kept.set(series.digest, made)
  made.catch(() => kept.delete(series.digest))
  if (kept.size > KEPT) kept.delete(kept.keys().next().value)
  return made
}

/** Fetches what will be shown next; that it fails is told when it is shown. */
export const prefetch = (/** @type {Series} */ series) => void load(series).catch(() => undefined)

async function open(/** @type {Series} */ series) {
  if (series.values) return new WholeSource(Float32Array.from(series.values))
  if (series.n > WINDOWED && series.windowUrl) {
    const source = new WindowSource(series.n, series.windowUrl)
    await source.refine(0, series.n, BUCKETS)
    return source
  }
  const values = new Float32Array(await bytes(series.payloadUrl))
  const problem = `found ${values.length}, expected ${series.n}. Reload the page.`
  if (values.length !== series.n)
    throw new PayloadError(`The values are not those of this series: ${problem}`)
  return new WholeSource(values)
}

/** Little-endian, which is what every browser's machine is. */
async function bytes(url, /** @type {AbortSignal | undefined} */ signal = undefined) {
  const answer = await fetch(url, { credentials: "same-origin", signal }).catch((error) => {
    throw error.name === "AbortError" ? error
      : new PayloadError("The values did not arrive (network).")
  })
  const { status } = answer
  if (!answer.ok)
    throw new PayloadError(`The values did not arrive (the server answered ${status}).`, status)
  return answer.arrayBuffer()
}

/** Every value at hand. @typedef {WholeSource | WindowSource} Source */
export class WholeSource {
  constructor(/** @type {Float32Array} */ values) {
    this.values = values
    this.n = values.length
  }

  /** One neighbour more on each side, so that the line runs on to the edge. @returns {Points} */
  points(from, to, width) {
    const x = drawn(this.values, Math.max(0, from - 1), Math.min(this.n, to + 1), width)
    return { x, y: x.map((index) => this.values[index]), exact: true }
  }

  at(index) {
    return this.values[index]
  }

  /** Nothing finer is to be had. */
  async refine() {
    return false
  }
}

/** Extremes and their true indices: as many float32, then as many uint32. */
export function extremes(/** @type {ArrayBuffer} */ data) {
  const m = data.byteLength / 8
  return { x: new Uint32Array(data, 4 * m, m), y: new Float32Array(data, 0, m) }
}

const single = (y, first) => ({ x: Uint32Array.from(y, (_, at) => first + at), y })

/** The whole series coarsely, and the latest window finely. */
export class WindowSource {
  constructor(n, url) {
    this.n = n
    this.url = url
    /** @type {{from: number, to: number, points: Points}[]} */
    this.pictures = []
  }

  /** The finest picture that covers [from, to). @returns {Points} */
  points(from, to, width = BUCKETS) {
    const covering = this.pictures.filter((one) => one.from <= from && one.to >= to)
    const { points, from: first } = covering.reduce((best, one) =>
      (one.to - one.from <= best.to - best.from ? one : best), this.pictures[0])
    if (!points.exact) return points
    const found = drawn(points.y, Math.max(0, from - 1 - first),
      Math.min(points.y.length, to + 1 - first), width)
    return { x: found.map((at) => at + first), y: found.map((at) => points.y[at]), exact: true }
  }

  /** A value, where single values are at hand; otherwise undefined. */
  at(index) {
    const raw = this.pictures.find((one) => one.points.exact && one.from <= index && index < one.to)
    return raw?.points.y[index - raw.from]
  }

  /** Asks for [from, to), with a margin to pan into; true when there is something new to draw. */
  async refine(from, to, width) {
    const known = this.pictures.find((one) => one.from <= from && one.to >= to
      && (one.points.exact || one.to - one.from <= 1.5 * (to - from)))
    if (known) return false
    this.asking?.abort()
    this.asking = new AbortController()
    const margin = Math.round((to - from) / 8)
    const [a, b] = [Math.max(0, from - margin), Math.min(this.n, to + margin)]
    const buckets = b - a <= RAW ? 0 : Math.min(BUCKETS, Math.max(256, Math.round(width)))
    const data = await bytes(`${this.url}?from=${a}&to=${b}&buckets=${buckets}`, this.asking.signal)
    const { x, y } = buckets ? extremes(data) : single(new Float32Array(data), a)
    this.pictures.splice(1, Math.max(0, this.pictures.length - 4))
    this.pictures.push({ from: a, to: b, points: { x, y, exact: buckets === 0 } })
    return true
  }
}
