// Handing an address to the system's own sheet: mail, messages, whatever the phone has.

/** Nothing is said where the person closes the sheet; any other refusal is. */
export async function share(button, url) {
  try {
    await navigator.share({ url })
  } catch (error) {
    if (error.name !== "AbortError") button.textContent = "Could not be shared"
  }
}
