// @ts-check
// What the annotate page asks of the server; the only module here that knows `fetch`. Nothing rejects.

/** @typedef {import("./outbox.js").Reply} Reply */

const PATIENCE = 20_000 // ms; a request that hangs must not hold back the answers behind it

/** The form token, read each time: signing in again in another tab makes a new one. */
const token = () => /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ""

/** @param {string} url @param {RequestInit} options @returns {Promise<Reply>} */
async function ask(url, options) {
  try {
    const response = await fetch(url, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE), ...options })
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json")
    return { status: response.status, body: isJson ? await response.json() : null }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) throw error
    return { status: 0, body: null }
  }
}

/**
 * Requests in the name of one person: the server refuses them if somebody else has signed in since.
 * @param {string} who
 */
export function speaker(who) {
  const headers = { "X-Plateau-Person": encodeURIComponent(who) } // a header is ASCII, a name need not be
  return {
    get: (/** @type {string} */ url) => ask(url, { headers }),
    post: (/** @type {string} */ url, /** @type {Record<string, string>} */ fields) =>
      // keepalive: what was sent arrives even if the page is closed at once.
      ask(url, { method: "POST", body: new URLSearchParams(fields), headers: { ...headers, "X-CSRFToken": token() }, keepalive: true }),
  }
}
