// Names for answers, made without crypto.randomUUID: a lab server on plain http has none.

/** A random UUID, version 4. @param {(bytes: Uint8Array<ArrayBuffer>) =>
 * Uint8Array<ArrayBuffer>} [fill] */
export function newId(fill = (bytes) => crypto.getRandomValues(bytes)) {
  const bytes = fill(new Uint8Array(16))
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join("-")
}

/** Names answers: one sent again keeps its id, a changed one gets a new id. */
export function namer(makeId = newId) {
  let latest = { text: "", id: "" }
  return (text) => {
    if (text !== latest.text) latest = { text, id: makeId() }
    return latest.id
  }
}
