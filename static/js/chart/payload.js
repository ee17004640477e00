// Values of a series: fetched once by digest, kept, asked for in windows when very many.

import { drawnPoints } from "./decimate.js";
import { band, extentOf, robust } from "./range.js";
import { fetchBytes, PayloadError } from "./payload-bytes.js";

/** Above so many values the server sends figures of buckets. */
export const WINDOWED = 200_000
const KEPT = 12

/**
 * @typedef {{n: number, scale?: number, digest: string, payloadUrl: string, windowUrl?: string,
 *   values?: ArrayLike<number>}} Series
 * @typedef {import("./decimate.js").Points} Points
 */

/** @type {Map<string, Promise<Source>>} */
const sourceByDigest = new Map()

/** The source of a series' values: from memory, or fetched; a failure is not kept. */
export function load(series) {
  const keptSource = sourceByDigest.get(series.digest)
  if (keptSource) return keptSource
  const source = open(series)
  sourceByDigest.set(series.digest, source)
  source.catch(() => sourceByDigest.delete(series.digest))
  if (sourceByDigest.size > KEPT) sourceByDigest.delete(sourceByDigest.keys().next().value ?? "")
  return source
}

/** Fetches what will be shown next; that it fails is told when it is shown. */
export const prefetch = (series) => void load(series).catch(() => undefined)

async function open(series) {
  if (series.values) return new WholeSource(Float32Array.from(series.values))
  if (series.n > WINDOWED && series.windowUrl) {
    const { WindowSource } = await import("./window-source.js")
    const source = new WindowSource(series.n, series.windowUrl)
    await source.open()
    return source
  }
  const values = new Float32Array(await fetchBytes(series.payloadUrl))
  const problem = `found ${values.length}, expected ${series.n}. Reload the page.`
  if (values.length !== series.n)
    throw new PayloadError(`The values are not those of this series: ${problem}`)
  return new WholeSource(values)
}

/** Every value at hand. 
 * @typedef {WholeSource | import("./window-source.js").WindowSource} Source */
export class WholeSource {
  #band
  #extent

  constructor(values) {
    this.values = values
    this.n = values.length
  }

  /** One neighbour more on each side, so that the line runs on to the edge. @returns {Points} */
  points(from, to, width) {
    return drawnPoints(this.values, Math.max(0, from - 1), Math.min(this.n, to + 1), width)
  }

  at(index) {
    return this.values[index]
  }

  /** The y-range that shows [from, to). */
  range(from, to) {
    return robust(this.values.subarray(from, to))
  }

  /** Least and greatest value. */
  get extent() {
    return (this.#extent ??= extentOf(this.values))
  }

  /** The band of the last half. */
  get band() {
    return (this.#band ??= band(this.values))
  }

  /** Returns false: these values are the finest. */
  async refine() {
    return false
  }

  /** Every single value is at hand. */
  async near() {}
}
