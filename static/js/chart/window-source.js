// A very long series: figures of buckets from the server, single values where one looks closely.

import { bandPoints, bucketsIn, drawnPoints } from "./decimate.js";
import { fetchBytes } from "./payload-bytes.js";
import { extentOf, robust } from "./range.js";

/** Up to so many values in view the values themselves are asked for. */
const RAW = 20_000
const BUCKETS = { least: 128, most: 4096, whole: 1024 }
/** Single values around a place: so many on either side of what is asked for. */
const AROUND = 1000
const KEPT = 4

/** Figures of w buckets over [from, to) as the server sends them: 7 w float32, then 2 w uint32.
 * @returns {import("./decimate.js").Points} */
export function received(data, from, to) {
  const w = data.byteLength / 36
  const row = (k) => new Float32Array(data, 4 * w * k, w)
  const places = (k) => new Uint32Array(data, 4 * w * (7 + k), w)
  const figures = { quantiles: [0, 1, 2, 3, 4].map(row), least: places(0), greatest: places(1) }
  const [low, high] = [row(5), row(6)]
  return bandPoints(figures, [from, to], (k, isGreatest) => (isGreatest ? high : low)[k])
}

/** The whole series coarsely, the latest windows finely, single values around the latest place.
 * @typedef {{from: number, to: number, points?: import("./decimate.js").Points,
 *   values?: Float32Array}} Picture with the figures of buckets, or with single values */
export class WindowSource {
  pictures = []
  /** @type {Picture | null} */
  close = null
  /** @type {Map<string, [number, number]>} */
  #ranges = new Map()

  constructor(n, url) {
    this.n = n
    this.url = url
    this.band = [0, 0]
  }

  async open() {
    const [points] = await Promise.all([this.#buckets(0, this.n, BUCKETS.whole),
      this.#askRange(0, this.n)])
    this.pictures = [{ from: 0, to: this.n, points }]
  }

  /** Least and greatest value. */
  get extent() {
    return extentOf(this.pictures[0].points.y)
  }

  #ask(from, to, options = "") {
    return fetchBytes(`${this.url}?from=${from}&to=${to}${options}`, this.asking?.signal)
  }

  async #buckets(from, to, count) {
    return received(await this.#ask(from, to, `&buckets=${count}`), from, to)
  }

  async #values(from, to) {
    return new Float32Array(await this.#ask(from, to, "&buckets=0"))
  }

  async #askRange(from, to) {
    const [lo, hi, ...band] = new Float32Array(await this.#ask(from, to))
    this.#ranges.set(`${from} ${to}`, [lo, hi])
    if (to - from === this.n) this.band = band
    return true
  }

  #covering(from, to) {
    const pictures = this.close ? [...this.pictures, this.close] : this.pictures
    return pictures.filter((picture) => picture.from <= from && picture.to >= to)
  }

  /** The finest picture that covers [from, to). @returns {import("./decimate.js").Points} */
  points(from, to, width) {
    const { points, values, from: firstIndex } = this.#covering(from, to).reduce((best, picture) =>
      (picture.to - picture.from <= best.to - best.from ? picture : best))
    if (points) return points
    const allValues = values
    const [start, end] = [Math.max(0, from - 1 - firstIndex), to + 1 - firstIndex]
    return drawnPoints(allValues, start, Math.min(allValues.length, end), width, firstIndex)
  }

  #singles(from, to) {
    const covering = this.#covering(from, to).find((picture) => picture.values)
    const { values, from: firstIndex = 0 } = covering ?? {}
    return values?.subarray(from - firstIndex, to - firstIndex)
  }

  /** A value, where single values are at hand; otherwise undefined. */
  at(index) {
    return this.#singles(index, index + 1)?.[0]
  }

  /** The y-range that shows [from, to); undefined until it was asked for. */
  range(from, to) {
    const values = this.#singles(from, to)
    return values ? robust(values) : this.#ranges.get(`${from} ${to}`)
  }

  /** Asks for [from, to) and, if wanted, its y-range; true when there is something new to draw. */
  async refine(from, to, width, wantsRange = false) {
    this.asking?.abort()
    this.asking = new AbortController()
    const arePictures = await Promise.all([this.#finer(from, to, width),
      wantsRange && to - from > RAW && !this.range(from, to) && this.#askRange(from, to)])
    return arePictures.some(Boolean)
  }

  /** Asks for a window with a margin to pan into. */
  async #finer(from, to, width) {
    const isFine = (picture) => picture.values || picture.to - picture.from <= 1.5 * (to - from)
    if (this.#covering(from, to).some(isFine)) return false
    const margin = to - from <= RAW ? Math.floor((RAW - (to - from)) / 8)
      : Math.round((to - from) / 8)
    const [a, b] = [Math.max(0, from - margin), Math.min(this.n, to + margin)]
    const count = Math.min(BUCKETS.most, Math.max(BUCKETS.least, bucketsIn(b - a, 1.25 * width)))
    const part = to - from <= RAW ? { values: await this.#values(a, b) }
      : { points: await this.#buckets(a, b, count) }
    this.pictures.splice(1, Math.max(0, this.pictures.length - KEPT))
    this.pictures.push({ from: a, to: b, ...part })
    return true
  }

  /** Fetches the single values of [from, to) and around, for who looks at them closely. */
  async near(from, to) {
    if (this.#singles(from, to)) return
    const [a, b] = [Math.max(0, from - AROUND), Math.min(this.n, to + AROUND)]
    this.close = { from: a, to: b, values: new Float32Array(
      await fetchBytes(`${this.url}?from=${a}&to=${b}&buckets=0`)) }
  }
}
