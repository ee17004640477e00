// The person's own order through a campaign: what is done, what comes next, what to fetch ahead.

/** @typedef {{position: number, done: boolean, skipped: number}} Place skipped: when, or 0 */

/** Places from the page: positions in the person's order, those done, those skipped in order. */
export function placesOf({ order, done, skipped }) {
  const finished = new Set(done)
  const ranks = new Map(skipped.map((position, rank) => [position, rank + 1]))
  return order.map((position) =>
    ({ position, done: finished.has(position), skipped: ranks.get(position) ?? 0 }))
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

  has(position) {
    return this.#places.some((place) => place.position === position)
  }

  isDone(position) {
    return this.#find(position)?.done ?? false
  }

  finish(position) {
    const place = this.#find(position)
    if (place) Object.assign(place, { done: true, skipped: 0 })
  }

  /** A refused answer leaves its series open. */
  reopen(position) {
    const place = this.#find(position)
    if (place) place.done = false
  }

  /** Moves a series to the end of the queue, behind those skipped before. */
  skip(position) {
    const place = this.#find(position)
    if (place) place.skipped = ++this.#skips
  }

  /** Open positions in the order in which they will be met: onward from here, skipped ones last. */
  ahead(here = null) {
    const index = this.#places.findIndex((place) => place.position === here)
    const onward = [...this.#places.slice(index + 1), ...this.#places.slice(0, index + 1)]
    const open = onward.filter((place) => !place.done && place.position !== here)
    const skipped = open.filter((place) => place.skipped > 0).sort((a, b) => a.skipped - b.skipped)
    return [...open.filter((place) => place.skipped === 0), ...skipped]
      .map((place) => place.position)
  }

  /** The next open one; the one here if it is the only one left; null after the last. */
  next(here) {
    const [nextPosition] = this.ahead(here)
    return nextPosition ?? (this.has(here) && !this.isDone(here) ? here : null)
  }

  /** Neighbour in the person's order, answered or not; null at the ends. @param {1 | -1} step */
  beside(here, step) {
    const index = this.#places.findIndex((place) => place.position === here)
    return this.#places[index + step]?.position ?? null
  }

  get positions() {
    return this.#places.map((place) => place.position).sort((a, b) => a - b)
  }

  #find(position) {
    return this.#places.find((place) => place.position === position)
  }
}
