// @ts-check
// The page's dialogs: note, jump, problem, instructions, sign-in. Each is a <dialog> of the template.

/** @param {ParentNode} root @param {string} name */
const dialog = (root, name) => /** @type {HTMLDialogElement} */ (root.querySelector(`[data-dialog="${name}"]`))

/** Asks one question; resolves with the text, or null if it was closed. @param {HTMLDialogElement} box @param {{text?: string, problem?: string, check?: (text: string) => Promise<string> | string}} [how] @returns {Promise<{text: string, send: boolean} | null>} */
export function ask(box, { text = "", problem = "", check = () => "" } = {}) {
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (box.querySelector("input, textarea"))
  const says = /** @type {HTMLElement} */ (box.querySelector("[role=alert]"))
  const form = /** @type {HTMLFormElement} */ (box.querySelector("form"))
  const ends = new AbortController()
  field.value = text
  says.textContent = problem
  box.showModal()
  field.focus()
  return new Promise((resolve) => {
    const end = (/** @type {{text: string, send: boolean} | null} */ answer) => {
      ends.abort()
      box.close()
      resolve(answer)
    }
    const submit = async (/** @type {boolean} */ send) => {
      says.textContent = await check(field.value)
      if (!says.textContent) end({ text: field.value, send })
    }
    const listen = { signal: ends.signal }
    form.addEventListener("submit", (event) => { event.preventDefault(); void submit(false) }, listen)
    field.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event)
      if (key.key !== "Enter" || key.shiftKey || key.isComposing) return
      key.preventDefault()
      void submit(key.ctrlKey || key.metaKey)
    }, listen)
    box.addEventListener("close", () => end(null), listen)
  })
}

export class Dialogs {
  #root

  /** @param {ParentNode} root */
  constructor(root) {
    this.#root = root
  }

  /** The note as it was left: what was typed before Esc is kept too. @param {string} text @param {string} problem @param {(text: string) => void} keep */
  async note(text, problem, keep) {
    const box = dialog(this.#root, "note")
    const field = /** @type {HTMLTextAreaElement} */ (box.querySelector("textarea"))
    const type = () => keep(field.value)
    field.addEventListener("input", type)
    const answer = await ask(box, { text, problem })
    field.removeEventListener("input", type)
    return answer?.send ?? false
  }

  /** @param {(text: string) => string} check */
  jump(check) {
    return ask(dialog(this.#root, "jump"), { check })
  }

  /** @param {(text: string) => Promise<string>} send */
  problem(send) {
    return ask(dialog(this.#root, "problem"), { check: send })
  }

  /** @param {() => void} onClose */
  guide(onClose) {
    const box = dialog(this.#root, "guide")
    box.addEventListener("close", onClose, { once: true })
    box.showModal()
  }

  /** Shown once however many answers are refused; trying again closes it. @param {string} sentence @param {() => void} retry */
  signIn(sentence, retry) {
    const box = dialog(this.#root, "sign-in")
    const says = /** @type {HTMLElement} */ (box.querySelector("[data-sentence]"))
    says.textContent = sentence
    if (box.open) return
    box.addEventListener("close", retry, { once: true })
    box.showModal()
  }

  signedIn() {
    const box = dialog(this.#root, "sign-in")
    if (box.open) box.close()
  }
}
