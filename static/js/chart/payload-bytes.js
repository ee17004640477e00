// Bytes of values from the server, or why they did not arrive.

/** Values that did not arrive; the message is a sentence for the page. */
export class PayloadError extends Error {
  constructor(message, status = 0) {
    super(message)
    this.name = "PayloadError"
    this.status = status
  }
}

/** Little-endian, which is what every browser's machine is.
 * @param {string} url @param {AbortSignal} [signal] */
export async function fetchBytes(url, signal) {
  const answer = await fetch(url, { credentials: "same-origin", signal }).catch((error) => {
    throw error.name === "AbortError" ? error
      : new PayloadError("The values were not loaded (network).")
  })
  const { status } = answer
  if (!answer.ok)
    throw new PayloadError(`The values were not loaded (the server answered ${status}).`, status)
  return answer.arrayBuffer()
}
