// Stand-ins for what the browser has and node lacks.

/** Local storage: values as own keys, so that Object.keys works as in a browser. */
export class FakeStorage {
  #full

  constructor({ full = false } = {}) {
    this.#full = full
  }

  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null
  }

  setItem(key, value) {
    if (this.#full) throw new DOMException("full", "QuotaExceededError")
    this[key] = String(value)
  }

  removeItem(key) {
    delete this[key]
  }
}

/** A clock that waits only when told to. */
export class FakeClock {
  ms = 1_000
  waiting = []

  now = () => this.ms
  setTimeout = (act, ms) => {
    const timer = { act, ms }
    this.waiting.push(timer)
    return timer
  }
  clearTimeout = (timer) => {
    this.waiting = this.waiting.filter((other) => other !== timer)
  }

  /** Seconds until the timers that are set. */
  get pauses() {
    return this.waiting.map((timer) => timer.ms / 1000)
  }

  ring() {
    const due = this.waiting
    this.waiting = []
    return Promise.all(due.map((timer) => timer.act()))
  }
}
