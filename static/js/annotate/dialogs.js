// The page's dialogs, each a <dialog> of the template: note, jump, problem, guide, sign-in.

const dialog = (root, name) => root.querySelector(`[data-dialog="${name}"]`)

/** Asks one question; resolves with {text, send}, or null if it was closed. */
export function ask(box, { text = "", problem = "", check = (text) => "" } = {}) {
  const field = box.querySelector("input, textarea")
  const message = box.querySelector("[role=alert]")
  const form = box.querySelector("form")
  const closing = new AbortController()
  field.value = text
  message.textContent = problem
  box.showModal()
  field.focus()
  return new Promise((resolve) => {
    const end = (answer) => {
      closing.abort()
      box.close()
      resolve(answer)
    }
    const submit = async (send) => {
      message.textContent = await check(field.value)
      if (!message.textContent) end({ text: field.value, send })
    }
    const listen = { signal: closing.signal }
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      void submit(false)
    }, listen)
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
      event.preventDefault()
      void submit(event.ctrlKey || event.metaKey)
    }, listen)
    box.addEventListener("close", () => end(null), listen)
  })
}

export class Dialogs {
  #root

  constructor(root) {
    this.#root = root
  }

  /** The note as it was left: what was typed before Esc is kept too. */
  async note(text, problem, keep) {
    const box = dialog(this.#root, "note")
    const field = box.querySelector("textarea")
    const type = () => keep(field.value)
    field.addEventListener("input", type)
    const answer = await ask(box, { text, problem })
    field.removeEventListener("input", type)
    return answer?.send ?? false
  }

  jump(check) {
    return ask(dialog(this.#root, "jump"), { check })
  }

  problem(send) {
    return ask(dialog(this.#root, "problem"), { check: send })
  }

  guide(onClose) {
    const box = dialog(this.#root, "guide")
    box.addEventListener("close", onClose, { once: true })
    box.showModal()
  }

  /** Shown once however many answers are refused; trying again closes it. */
  signIn(sentence, retry) {
    const box = dialog(this.#root, "sign-in")
    const message = box.querySelector("[data-sentence]")
    message.textContent = sentence
    if (box.open) return
    box.addEventListener("close", retry, { once: true })
    box.showModal()
  }

  signedIn() {
    const box = dialog(this.#root, "sign-in")
    if (box.open) box.close()
  }
}
