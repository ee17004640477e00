// Copying a text by a button, which says for two seconds what came of it.

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

/** Copies an address of this page, or puts it where one copies addresses from. */
export const copyAddress = (button, address) => copyText(button, address, () => {
  history.replaceState(null, "", address)
  return "In the address bar"
})
