// @ts-check
// The person's own order through a campaign: what is done, what comes next, what to fetch ahead.

/** @typedef {{position: number, done: boolean, skipped: number}} Place skipped: when, counted up; 0 for never */

/** As the page has it: positions in the person's order, those done, those skipped in the order of skipping. @param {{order: number[], done: number[], skipped: number[]}} sent @returns {Place[]} */
export function placesOf({ order, done, skipped }) {
  const finished = new Set(done)
  const ranks = new Map(skipped.map((position, at) => [position, at + 1]))
  return order.map((position) => ({ position, done: finished.has(position), skipped: ranks.get(position) ?? 0 }))
}

export class Queue {
  #places
  #skips

  /** @param {Place[]} places in the person's own order */
  constructor(places) {
    this.#places = places.map((place) => ({ ...place }))
    this.#skips = Math.max(0, ...places.map((place) => place.skipped))
  }

  get done() {
    return this.#places.filter((place) => place.done).length
  }

  get toGo() {
    return this.#places.length - this.done
  }

  get skipped() {
    return this.#places.filter((place) => place.skipped > 0 && !place.done).length
  }

  /** @param {number} position */
  has(position) {
    return this.#places.some((place) => place.position === position)
  }

  /** @param {number} position */
  isDone(position) {
    return this.#find(position)?.done ?? false
  }

  /** @param {number} position */
  finish(position) {
    const place = this.#find(position)
    if (place) Object.assign(place, { done: true, skipped: 0 })
  }

  /** A refused answer leaves its series open. @param {number} position */
  reopen(position) {
    const place = this.#find(position)
    if (place) place.done = false
  }

  /** To the end of the queue, behind what was skipped before. @param {number} position */
  skip(position) {
    const place = this.#find(position)
    if (place) place.skipped = ++this.#skips
  }

  /** Open positions in the order in which they will be met: onward from here, skipped ones last. @param {number | null} [here] */
  ahead(here = null) {
    const at = this.#places.findIndex((place) => place.position === here)
    const onward = [...this.#places.slice(at + 1), ...this.#places.slice(0, at + 1)]
    const open = onward.filter((place) => !place.done && place.position !== here)
    const skipped = open.filter((place) => place.skipped > 0).sort((a, b) => a.skipped - b.skipped)
    return [...open.filter((place) => place.skipped === 0), ...skipped].map((place) => place.position)
  }

  /** The next open one; the one here if it is the only one left; null after the last. @param {number} here */
  next(here) {
    const [first] = this.ahead(here)
    return first ?? (this.has(here) && !this.isDone(here) ? here : null)
  }

  /** Neighbour in the person's own order, answered or not; null at the ends. @param {number} here @param {1 | -1} by */
  beside(here, by) {
    const at = this.#places.findIndex((place) => place.position === here)
    return this.#places[at + by]?.position ?? null
  }

  get positions() {
    return this.#places.map((place) => place.position).sort((a, b) => a - b)
  }

  /** @param {number} position */
  #find(position) {
    return this.#places.find((place) => place.position === position)
  }
}

/** Series by position, each fetched once, the next ones before they are asked for. @template T */
export class Ahead {
  #fetch
  #depth
  /** @type {Map<number, Promise<T>>} */
  #fetched = new Map()

  /** @param {(position: number) => Promise<T>} fetch @param {number} [depth] how many to fetch ahead */
  constructor(fetch, depth = 3) {
    this.#fetch = fetch
    this.#depth = depth
  }

  /** @param {number} position */
  get(position) {
    let promise = this.#fetched.get(position)
    if (!promise) {
      promise = this.#fetch(position)
      this.#fetched.set(position, promise)
      promise.catch(() => this.forget(position)) // a failed fetch is tried again when asked for
    }
    return promise
  }

  /** Fetch the first few of these; let go of what is far away. @param {number[]} positions @param {number[]} near kept besides */
  prepare(positions, near = []) {
    const wanted = positions.slice(0, this.#depth)
    const kept = new Set([...wanted, ...near])
    for (const position of this.#fetched.keys()) if (!kept.has(position)) this.#fetched.delete(position)
    for (const position of wanted) this.get(position).catch(() => undefined) // said when it is shown
  }

  /** @param {number} position */
  forget(position) {
    this.#fetched.delete(position)
  }
}
