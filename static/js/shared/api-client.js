// Requests of a page in the name of one person. Nothing rejects: a reply says what happened.

/**
 * @typedef {{status: number, body: any, retryAfter: number}} Reply status 0: no answer came; body:
 *   the answer's JSON or null; retryAfter: seconds that the server wants to be left alone, or 0
 */

const PATIENCE = 20_000 // ms; a request that hangs must not hold back those behind it

/** The form token, read each time: signing in again in another tab makes a new one. */
const formToken = () => /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1]
  ?? /"X-CSRFToken": "([^"]+)"/
    .exec(document.body.getAttribute("hx-headers:inherited") ?? "")?.[1] ?? ""

/** Seconds of a Retry-After, which is a number or a date; 0 for none. */
export function secondsOf(text, now = Date.now()) {
  if (!text) return 0
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Math.max(0, Math.ceil(seconds)) || 0
}

/** @param {string} url @param {RequestInit & {patience?: number}} how
 * @returns {Promise<Reply>} */
async function ask(url, { signal, patience = PATIENCE, ...options }) {
  const signals = [AbortSignal.timeout(patience), ...(signal ? [signal] : [])]
  try {
    const answer = await fetch(url, { credentials: "same-origin", redirect: "manual",
      signal: AbortSignal.any(signals), ...options })
    // Only somebody who is signed out is sent elsewhere: to the sign-in page.
    if (answer.type === "opaqueredirect") return { status: 401, body: null, retryAfter: 0 }
    const isJson = answer.headers.get("Content-Type")?.startsWith("application/json")
    return { status: answer.status, body: isJson ? await answer.json() : null,
      retryAfter: secondsOf(answer.headers.get("Retry-After")) }
  } catch (error) {
    const passing = [TypeError, DOMException, SyntaxError].some((kind) => error instanceof kind)
    if (!passing) throw error
    return { status: 0, body: null, retryAfter: 0 }
  }
}

/** A client of one person: the server refuses it when somebody else has signed in since. */
export function apiClient(who = "") {
  const headers = { Accept: "application/json" }
  // A header is ASCII, a name need not be.
  if (who) Object.assign(headers, { "X-Plateau-Person": encodeURIComponent(who) })
  return {
    get: (url, options = {}) => ask(url, { headers, ...options }),
    post: (url, fields, options = {}) => {
      const isForm = fields instanceof FormData
      // keepalive: what was sent arrives even if the page is closed at once; too small for files.
      return ask(url, { method: "POST", body: isForm ? fields : new URLSearchParams(fields),
        headers: { ...headers, "X-CSRFToken": formToken() }, keepalive: !isForm, ...options })
    },
  }
}
