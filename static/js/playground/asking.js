// Questions to the server: the newest wins, an older one of the same kind is aborted.

import { apiClient } from "../shared/api-client.js";

const http = apiClient()
const PATIENCE = 120_000 // ms; a long series and a slow method take their time
/** Somebody else's question may be before ours: for a rest so short (s) it is asked again. */
const BRIEF = 5
const TRIES = 20

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))

/** Content of a reply: its JSON, with `problem` where there is none. */
function pageReply({ status, body }) {
  if (body) return { ...body, problem: body.problem ?? (status >= 400 ? body.sentence : undefined) }
  const problem = status === 0
    ? "No answer (network). Move the slider again, or press the button again."
    : status === 401 ? "You were signed out. Sign in, then try again."
    : `The server answered ${status}. Reload the page and try again.`
  return { problem }
}

export class Asking {
  /** @type {AbortController | null} */
  under = null

  /** The answer's JSON; null when a newer question was asked. @param {FormData | null} body */
  async ask(url, body = null) {
    this.under?.abort()
    const { signal } = (this.under = new AbortController())
    const options = { signal, patience: PATIENCE }
    for (let tried = 1; ; tried++) {
      const reply = await (body ? http.post(url, body, options) : http.get(url, options))
      if (signal.aborted) return null
      const isBusy = reply.status === 503 && reply.retryAfter > 0 && reply.retryAfter <= BRIEF
      if (!isBusy || tried === TRIES) return pageReply(reply)
      await wait(reply.retryAfter)
      if (signal.aborted) return null
    }
  }
}
