// A form that a security key answers: the browser asks it, and its answer is sent with the form.

const SAID = {
  NotAllowedError: "No key answered. Is it one of yours for this site, and was it touched in time?",
  InvalidStateError: "This key is there already.",
  SecurityError: "Keys need an address with a host name, and no number, that begins with https.",
}

/** Sentence for an error of the browser. */
export const sentenceOf = ({ name, message }) => SAID[name] ?? `The key did not answer: ${message}`

/** Reason why a key cannot be asked for; "" without one. */
export function hindrance({ isSecureContext, PublicKeyCredential }) {
  if (!isSecureContext) return "Keys need an address that begins with https."
  return PublicKeyCredential?.parseCreationOptionsFromJSON ? ""
    : "This browser knows no keys, or is older than 2025."
}

/** The key's answer as JSON. @param {"create" | "get"} act */
async function answerOf(act, { publicKey }) {
  const parse = act === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON"
  const options = { publicKey: PublicKeyCredential[parse](publicKey) }
  return JSON.stringify(await navigator.credentials[act](/** @type {any} */ (options)))
}

/** Until it runs, the button is disabled: a form without the key's answer is no use. */
function connect(form) {
  const options = JSON.parse(document.getElementById("key-options")?.textContent ?? "{}")
  const status = form.querySelector("[data-key-status]")
  status.textContent = hindrance(globalThis)
  if (status.textContent) return
  form.querySelector("button").disabled = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    status.textContent = "Touch your key, or follow what the browser asks."
    try {
      form.elements.credential.value = await answerOf(form.dataset.key, options)
      form.submit()
    } catch (/** @type {any} */ error) {
      status.textContent = `${sentenceOf(error)} Try again.`
    }
  })
}

if (globalThis.document) document.querySelectorAll("[data-key]").forEach(connect)
