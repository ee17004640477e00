// Answers that were begun and not sent, kept in this browser by person, series and digest.

/** @typedef {import("./marks.js").Answer} Answer */
/** @typedef {{answer: Answer, view: object | null, when: string, reason?: string}} Draft */

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

  /** True if it is kept. @param {{answer: Answer, view: object | null, reason?: string}} what */
  keep(task, digest, what) {
    const text = JSON.stringify({ ...what, when: this.#now().toISOString() })
    return this.#try((storage) => storage.setItem(this.#key(task, digest), text))
  }
  find(task, digest) {
    let text = null
    this.#try((storage) => { text = storage.getItem(this.#key(task, digest)) })
    return parsed(text)
  }

  drop(task, digest) {
    this.#try((storage) => storage.removeItem(this.#key(task, digest)))
  }

  /** Forget what nobody came back for. */
  sweep() {
    const oldest = this.#now().getTime() - KEPT_FOR
    this.#try((storage) => {
      for (const key of Object.keys(storage)) {
        if (!key.startsWith(PREFIX)) continue
        const draft = parsed(storage.getItem(key))
        if (!draft || Date.parse(draft.when) < oldest) storage.removeItem(key)
      }
    })
  }

  /** Full or forbidden storage throws: then drafts live as long as the page. */
  #try(act) {
    if (!this.#storage) return false
    try {
      act(this.#storage)
      return true
    } catch (error) {
      if (error instanceof DOMException) return false
      throw error
    }
  }
}
function parsed(text) {
  try {
    return text === null ? null : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null // not ours, or cut off
    throw error
  }
}
