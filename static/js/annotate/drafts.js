// Answers that were begun and not sent, kept in this browser by person, series and digest.

/** @typedef {import("./marks.js").Answer} Answer */
/** @typedef {{answer: Answer, view: object | null, when: string, reason?: string}} Draft */

import { keep, keptValue } from "../shared/kept.js";

const PREFIX = "plateau:draft:"
const KEPT_FOR = 30 * 24 * 3600 * 1000 // ms; a month-old half-answer helps nobody

export class Drafts {
  #storage
  #who
  #now

  /** @param {Storage | null} storage null where the browser forbids it */
  constructor(storage, who, now = () => new Date()) {
    this.#storage = storage
    this.#who = who
    this.#now = now
  }

  /** @param {string} task its address @param {string} digest of the values on the screen */
  #key(task, digest) {
    return `${PREFIX}${this.#who}:${task}:${digest}`
  }

  /** True if it is kept. @param {{answer: Answer, view: object | null, reason?: string}} content */
  keep(task, digest, content) {
    const draft = { ...content, when: this.#now().toISOString() }
    return keep(this.#key(task, digest), draft, this.#storage)
  }

  find(task, digest) {
    return keptValue(this.#key(task, digest), this.#storage)
  }

  drop(task, digest) {
    this.#storage?.removeItem(this.#key(task, digest))
  }

  /** Forget what nobody came back for. */
  sweep() {
    const oldest = this.#now().getTime() - KEPT_FOR
    for (const key of Object.keys(this.#storage ?? {}).filter((name) => name.startsWith(PREFIX))) {
      const draft = keptValue(key, this.#storage)
      if (!draft || Date.parse(draft.when) < oldest) this.#storage.removeItem(key)
    }
  }
}
