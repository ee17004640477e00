// Copying and sharing by a button, which says what came of it.

const SHOWN_FOR = 2000 // ms

/** @param {() => string} otherwise on plain http, which has no clipboard: does what it says */
export async function copyText(button, text, otherwise) {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text.trim())
    button.textContent = "Copied"
  } catch {
    button.textContent = otherwise()
  }
  setTimeout(() => (button.textContent = label), SHOWN_FOR)
}

/** Hands an address to the system's own sheet: mail, messages, whatever the phone has. Nothing is
 * said where the person closes the sheet; any other refusal is. */
export async function share(button, url) {
  try {
    await navigator.share({ url })
  } catch (/** @type {any} */ error) {
    if (error.name !== "AbortError") button.textContent = "Could not be shared"
  }
}

/** Copies an address of this page, or puts it where one copies addresses from. */
export const copyAddress = (button, address) => copyText(button, address, () => {
  history.replaceState(null, "", address)
  return "In the address bar"
})
