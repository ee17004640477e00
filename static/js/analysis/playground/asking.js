// @ts-check
// Questions to the server: the newest wins, an older one of the same kind is aborted.

/** The form token, read each time: signing in again makes a new one. */
const token = () => /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? document.body.getAttribute("hx-headers:inherited")?.match(/"X-CSRFToken": "([^"]+)"/)?.[1] ?? ""

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
      const answer = await fetch(url, { method: body ? "POST" : "GET", body, headers, credentials: "same-origin", signal: mine.signal })
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
