// @ts-check
// Questions to the server: the newest wins, an older one of the same kind is aborted.

/** The form token, read each time: signing in again makes a new one. */
const token = () => /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? document.body.getAttribute("hx-headers:inherited")?.match(/"X-CSRFToken": "([^"]+)"/)?.[1] ?? ""

/** Somebody else's question may be before ours: a server that is busy is asked again, unless a newer question was. */
const TRIES = 20
const PAUSE = 1000
const BUSY = 503

async function patiently(/** @type {() => Promise<Response>} */ fetched, /** @type {AbortSignal} */ signal) {
  for (let tried = 1; ; tried++) {
    const answer = await fetched()
    if (answer.status !== BUSY || tried === TRIES) return answer
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    signal.throwIfAborted()
  }
}

export class Asking {
  /** @type {AbortController | null} */
  under = null

  /** The answer's JSON, with `problem` where there is none; null when a newer question was asked. @returns {Promise<any>} */
  async ask(/** @type {string} */ url, /** @type {FormData | null} */ body = null) {
    this.under?.abort()
    const mine = (this.under = new AbortController())
    /** @type {Record<string, string>} */
    const headers = body ? { Accept: "application/json", "X-CSRFToken": token() } : { Accept: "application/json" }
    try {
      const answer = await patiently(() => fetch(url, { method: body ? "POST" : "GET", body, headers, credentials: "same-origin", signal: mine.signal }), mine.signal)
      const isJson = answer.headers.get("Content-Type")?.startsWith("application/json")
      return isJson ? await answer.json() : { problem: `The server answered ${answer.status}. Reload the page and try again.` }
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return null
      return { problem: "The answer did not arrive (network). Move the slider again, or press the button again." }
    } finally {
      if (this.under === mine) this.under = null
    }
  }
}
