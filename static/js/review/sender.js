// @ts-check
// Decisions on their way: sent while the next case is shown, and again until they have arrived.

/** @typedef {[string, string][]} Fields */
/** @typedef {{status: number, body: any}} Reply */

const LONGEST = 60 // s between two tries

/** The server will not have it; the message is its sentence. */
export class Refused extends Error {}

const sleep = (/** @type {number} */ seconds) => new Promise((done) => setTimeout(done, 1000 * seconds))

/** Whether the same request may go better later. */
export const isPassing = (/** @type {number} */ status) => status === 0 || status === 429 || status >= 500

/** What to tell of an answer that is none. @param {Reply} reply */
export function complaint({ status, body }) {
  if (body?.sentence) return body.sentence
  if (status === 200) return "You were signed out, and nothing was stored. Sign in in another tab, then decide again."
  return `Nothing was stored (the server answered ${status}). Reload the page, then decide again.`
}

export class Sender {
  #post
  #rest
  /** The latest of each address. @type {Map<string, Promise<any>>} */
  #latest = new Map()
  /** Decisions that have not arrived yet. */
  waiting = 0
  /** @type {(waiting: number, trying: number) => void} */
  onWait = () => undefined

  /** @param {(url: string, fields: Fields) => Promise<Reply>} post @param {(seconds: number) => Promise<unknown>} [rest] */
  constructor(post, rest = sleep) {
    this.#post = post
    this.#rest = rest
  }

  /** Resolves when it is stored; rejects with Refused. What is taken back must have arrived: an address hears one at a time. @param {string} url @param {Fields} fields */
  async send(url, fields) {
    this.waiting += 1
    const before = this.#latest.get(url)
    const mine = (async () => {
      await before?.catch(() => undefined) // said by whoever sent it
      return this.#deliver(url, fields)
    })()
    this.#latest.set(url, mine)
    return mine.finally(() => this.#latest.get(url) === mine && this.#latest.delete(url))
  }

  /** @param {string} url @param {Fields} fields */
  async #deliver(url, fields) {
    try {
      for (let tries = 0; ; tries++) {
        const reply = await this.#post(url, fields)
        if (reply.status === 201) return reply.body
        if (!isPassing(reply.status)) throw new Refused(complaint(reply))
        this.onWait(this.waiting, tries + 1)
        await this.#rest(Math.min(2 ** tries, LONGEST))
      }
    } finally {
      this.waiting -= 1
    }
  }
}
