// The one sender: requests are kept until the server has taken or refused each, and sent in the
// order in which they were made. docs/design/script.md has its rule as a table.

import { MemoryStore } from "./stores.js";

/** @typedef {import("./stores.js").Entry} Entry @typedef {import("./stores.js").Store} Store */
/** @typedef {import("./api-client.js").Reply} Reply */
/** @typedef {"saved" | "refused" | "signed-out" | "later"} Outcome */
/** @typedef {{outcome: Outcome, entry: Entry, reply: Reply, left: number}} News */

const LONGEST = 60 // seconds between two tries that the server did not ask for

/**
 * What a reply means for the request that it answers:
 * saved       201, 204: what Plateau says of something stored.
 * signed-out  401, a redirect, 403 for a form token that is out of date: kept, sent after sign-in.
 * refused     any other 4xx with a sentence of Plateau's (400, 403 for a right, 404, 409, 422):
 *             told, not sent again.
 * later       all else: no answer, 408, 429, 5xx, and what a proxy or a hotel's network says in
 *             Plateau's place. Kept and sent again, after Retry-After where there is one.
 * @param {Pick<Reply, "status" | "body">} reply @returns {Outcome}
 */
export function outcomeOf({ status, body }) {
  if (status === 201 || status === 204) return "saved"
  if (status === 401 || body?.reason === "stale-form") return "signed-out"
  const isOurs = status >= 400 && status < 500 && Boolean(body?.sentence)
  return isOurs && status !== 408 && status !== 429 ? "refused" : "later"
}

/** Seconds until the next try: 1, 2, 4 … 60, or as the server says. */
export const pause = (failures, retryAfter = 0) =>
  Math.max(Math.min(LONGEST, 2 ** (failures - 1)), retryAfter)

export class Sender {
  #parts
  #store
  #failures = 0
  #seq = 0
  #timer = null
  #notBefore = 0
  /** @type {Promise<void> | null} */ #draining = null
  #again = false

  /**
   * @param {{store: Store, send: (entry: Entry) => Promise<Reply>, box: string, who: string,
   *   tell: (news: News) => void, locks?: Pick<LockManager, "request">, clock?: Clock}} parts
   *   send never rejects; only this person's requests of this box are sent; with locks, of several
   *   tabs one sends
   * @typedef {{setTimeout: Function, clearTimeout: Function, now: () => number}} Clock
   */
  constructor(parts) {
    this.#parts = { locks: null, clock: browserClock, ...parts }
    this.#store = parts.store
  }

  /** True if kept requests outlive the page. */
  get lasting() {
    return this.#store.lasting
  }

  /** Keeps a request, then sends it. Resolves when it is kept. */
  async add(request) {
    const { clock, who, box } = this.#parts
    this.#seq = Math.max(this.#seq + 1, clock.now())
    const entry = { ...request, seq: this.#seq, who, box }
    try {
      await this.#store.put(entry)
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      await this.#fallBack(entry) // the disk is full: keep it in memory, and say so
    }
    void this.wake()
  }

  /** Tries now, or when the server wants to be asked: a new request, network, focus, signed in. */
  wake() {
    const { clock } = this.#parts
    clock.clearTimeout(this.#timer)
    const milliseconds = this.#notBefore - clock.now()
    if (milliseconds > 0) return this.#tryIn(milliseconds)
    if (this.#draining) {
      this.#again = true
      return this.#draining
    }
    this.#draining = this.#drain().finally(() => {
      this.#draining = null
      return this.#again ? this.wake() : undefined
    })
    return this.#draining
  }

  /** Resolves when nothing is being sent. */
  async settled() {
    await this.#draining
  }

  /** Unsent requests of this person and box, oldest first. @returns {Promise<Entry[]>} */
  async waiting() {
    const { who, box } = this.#parts
    const entries = await this.#store.all()
    return entries.filter((entry) => entry.who === who && (entry.box ?? "annotate") === box)
      .sort((a, b) => a.seq - b.seq)
  }

  async #drain() {
    const { locks, who, box } = this.#parts
    this.#again = false
    if (!locks) return this.#sendAll()
    await locks.request(`plateau-${box}-${who}`, () => this.#sendAll())
  }

  async #sendAll() {
    for (let [entry] = await this.waiting(); entry; [entry] = await this.waiting()) {
      const reply = await this.#parts.send(entry)
      const outcome = outcomeOf(reply)
      if (outcome === "saved" || outcome === "refused") await this.#store.remove(entry.id)
      this.#failures = outcome === "later" ? this.#failures + 1 : 0
      this.#parts.tell({ outcome, entry, reply, left: (await this.waiting()).length })
      if (outcome === "later") this.#tryLater(reply.retryAfter ?? 0)
      if (outcome === "later" || outcome === "signed-out") return
    }
  }

  #tryLater(retryAfter) {
    this.#notBefore = retryAfter ? this.#parts.clock.now() + retryAfter * 1000 : 0
    this.#tryIn(pause(this.#failures, retryAfter) * 1000)
  }

  #tryIn(ms) {
    const { clock } = this.#parts
    clock.clearTimeout(this.#timer)
    this.#timer = clock.setTimeout(() => {
      this.#notBefore = 0
      return this.wake()
    }, ms)
  }

  async #fallBack(entry) {
    const memory = new MemoryStore()
    for (const storedEntry of await this.#store.all()) await memory.put(storedEntry)
    await memory.put(entry)
    this.#store = memory
  }
}

const browserClock = {
  setTimeout: (act, ms) => setTimeout(act, ms),
  clearTimeout: (timer) => clearTimeout(timer),
  now: () => Date.now(),
}
