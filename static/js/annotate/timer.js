// Seconds that a person spent on one series: the page visible and focused, long idleness left out.

const IDLE_AFTER = 60_000 // ms without a key or pointer event that still count

export class Timer {
  #now
  #spent = 0
  #counted = 0
  #active = 0
  #running = false

  constructor(clock = () => performance.now()) {
    this.#now = clock
  }

  /** A new chart is on the screen. @param {boolean} attended page visible and focused */
  restart(attended) {
    this.#spent = 0
    this.#active = this.#counted = this.#now()
    this.#running = attended
  }

  /** The page came to the front, or left it. */
  attend(attended) {
    this.#count()
    this.#running = attended
    if (attended) this.#active = this.#counted
  }

  /** A key, a click, a move: the person is there. */
  touch() {
    this.#count()
    this.#active = this.#counted
  }

  /** Seconds so far, one decimal. */
  get seconds() {
    this.#count()
    return Math.round(this.#spent / 100) / 10
  }

  #count() {
    const now = this.#now()
    const until = Math.min(now, this.#active + IDLE_AFTER)
    if (this.#running) this.#spent += Math.max(0, until - this.#counted)
    this.#counted = now
  }
}
