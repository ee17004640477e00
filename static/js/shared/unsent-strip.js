// The strip at the top of a page while what a person did there cannot be sent.

const clock = (when) => when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
const someOf = (n, noun) => (n === 1 ? `1 ${noun}` : `${n} ${noun}s`)

/** @param {number} status what the server says, 0: it was not reached @param {boolean} lasting
 * whether what is kept outlives the tab */
export function offlineSentence(since, waitingCount, status, lasting, noun = "answer") {
  const why = status === 0 ? `Offline since ${clock(since)}`
    : `The server has not taken ${noun}s since ${clock(since)} (it says ${status})`
  // A private window or a full disk: the page's memory is all there is.
  const where = lasting ? "here and will be sent." : "in this tab only: leave it open."
  return `${why}. ${someOf(waitingCount, noun)} ${waitingCount === 1 ? "is" : "are"} kept ${where}`
}

/** @param {{body: any}} reply of a server that knows somebody else, or nobody */
export const signedOutSentence = ({ body }, waitingCount, noun = "answer") =>
  body?.reason === "other-person" ? body.sentence
    : `You were signed out. Sign in to ${
      waitingCount ? `send ${someOf(waitingCount, noun)}` : "go on"}.`

export class UnsentStrip {
  #noun
  #place
  /** @type {Date | null} */
  #since = null
  #late = 0

  constructor(noun, strip = document.querySelector("[data-page-status]")) {
    this.#noun = noun
    this.#place = strip
  }

  get shown() {
    return this.#since !== null
  }

  /** @param {import("./sender.js").News} news of a request that has to wait */
  wait({ outcome, left, reply }, lasting) {
    this.#since ??= new Date()
    this.#late = Math.max(this.#late, left)
    this.#write(outcome === "signed-out" ? signedOutSentence(reply, left, this.#noun)
      : offlineSentence(this.#since, left, reply.status, lasting, this.#noun))
  }

  /** One got through; what to say once all have that had to wait, else "". */
  through(waitingCount) {
    if (!this.shown || waitingCount) return ""
    const sentence = `Sent ${someOf(this.#late, this.#noun)}.`
    this.#since = null
    this.#late = 0
    this.#write("")
    return sentence
  }

  /** The same text is not said twice. */
  #write(text) {
    if (this.#place.textContent !== text) this.#place.textContent = text
  }
}
