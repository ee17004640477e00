// @ts-check
// Unsent answers: kept until the server has each one, sent in the order in which they were given.

import { MemoryStore } from "./store.js";

/** @typedef {import("./store.js").Entry} Entry */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {{status: number, body: any}} Reply status 0: the server was not reached */
/** @typedef {"saved" | "refused" | "signed-out" | "later"} Outcome */
/** @typedef {{outcome: Outcome, entry: Entry, reply: Reply, left: number}} News */

const LONGEST = 60 // seconds between two tries

/** What a reply means for the answer that was sent. @param {number} status @returns {Outcome} */
export function outcomeOf(status) {
  if (status >= 200 && status < 300) return "saved"
  if (status === 401) return "signed-out"
  // 403 is a stale form token: signing in again in another tab makes a new one.
  const passes = status === 0 || status === 403 || status === 408 || status === 429 || status >= 500
  return passes ? "later" : "refused"
}

/** Seconds until the next try: 1, 2, 4 … 60. @param {number} failures in a row */
export const pause = (failures) => Math.min(LONGEST, 2 ** (failures - 1))

export class Outbox {
  #store
  #send
  #who
  #tell
  #locks
  #clock
  #failures = 0
  #seq = 0
  /** @type {any} */
  #timer = null
  /** @type {Promise<void> | null} */
  #draining = null
  #again = false

  /**
   * @param {object} parts
   * @param {Store} parts.store
   * @param {(entry: Entry) => Promise<Reply>} parts.send never rejects
   * @param {string} parts.who only this person's answers are sent
   * @param {(news: News) => void} parts.tell
   * @param {Pick<LockManager, "request"> | null} [parts.locks] of several tabs one sends
   * @param {{setTimeout: Function, clearTimeout: Function, now: () => number}} [parts.clock]
   */
  constructor({ store, send, who, tell, locks = null, clock = browserClock }) {
    this.#store = store
    this.#send = send
    this.#who = who
    this.#tell = tell
    this.#locks = locks
    this.#clock = clock
  }

  /** Whether what is kept here outlives the page. */
  get lasting() {
    return this.#store.lasting
  }

  /** Keep an answer, then send it. Resolves when it is kept. @param {Omit<Entry, "seq" | "who">} answer */
  async add(answer) {
    this.#seq = Math.max(this.#seq + 1, this.#clock.now())
    const entry = { ...answer, seq: this.#seq, who: this.#who }
    try {
      await this.#store.put(entry)
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      await this.#fallBack(entry) // the disk is full: keep it in memory, and say so
    }
    this.wake()
  }

  /** Try now: something changed (a new answer, network, focus, signed in). */
  wake() {
    this.#clock.clearTimeout(this.#timer)
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

  /** When nothing is being sent. */
  async settled() {
    await this.#draining
  }

  /** This person's unsent answers, oldest first. @returns {Promise<Entry[]>} */
  async waiting() {
    const mine = (await this.#store.all()).filter((entry) => entry.who === this.#who)
    return mine.sort((a, b) => a.seq - b.seq)
  }

  async #drain() {
    this.#again = false
    if (!this.#locks) return this.#sendAll()
    await this.#locks.request(`plateau-outbox-${this.#who}`, () => this.#sendAll())
  }

  async #sendAll() {
    for (let [entry] = await this.waiting(); entry; [entry] = await this.waiting()) {
      const reply = await this.#send(entry)
      const outcome = outcomeOf(reply.status)
      if (outcome === "saved" || outcome === "refused") await this.#store.remove(entry.id)
      this.#failures = outcome === "later" ? this.#failures + 1 : 0
      this.#tell({ outcome, entry, reply, left: (await this.waiting()).length })
      if (outcome === "later") this.#tryLater()
      if (outcome === "later" || outcome === "signed-out") return
    }
  }

  #tryLater() {
    this.#clock.clearTimeout(this.#timer)
    this.#timer = this.#clock.setTimeout(() => this.wake(), pause(this.#failures) * 1000)
  }

  /** @param {Entry} entry */
  async #fallBack(entry) {
    const memory = new MemoryStore()
    for (const other of await this.#store.all()) await memory.put(other)
    await memory.put(entry)
    this.#store = memory
  }
}

const browserClock = {
  setTimeout: (/** @type {TimerHandler} */ act, /** @type {number} */ ms) => setTimeout(act, ms),
  clearTimeout: (/** @type {any} */ timer) => clearTimeout(timer),
  now: () => Date.now(),
}
