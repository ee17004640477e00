// Series that will be shown next, fetched before they are asked for.

/** Series by position, each fetched once, the next ones before they are asked for. @template T */
export class Ahead {
  #fetch
  #depth
  #fetched = new Map()

  /** @param {(position: any) => Promise<T>} fetch; depth: how many to fetch ahead */
  constructor(fetch, depth = 3) {
    this.#fetch = fetch
    this.#depth = depth
  }

  get(position) {
    let promise = this.#fetched.get(position)
    if (!promise) {
      promise = this.#fetch(position)
      this.#fetched.set(position, promise)
      promise.catch(() => this.forget(position)) // a failed fetch is tried again when asked for
    }
    return promise
  }

  /** Fetch the first few of these; let go of what is far away and not `near`. */
  prepare(positions, nearPositions = []) {
    const wantedPositions = positions.slice(0, this.#depth)
    const keptPositions = new Set([...wantedPositions, ...nearPositions])
    for (const position of this.#fetched.keys())
      if (!keptPositions.has(position)) this.#fetched.delete(position)
    for (const position of wantedPositions) this.get(position).catch(() => undefined)
  }

  forget(position) {
    this.#fetched.delete(position)
  }
}
