// @ts-check
// The line that says what became of a decision, with the way to take it back.

const made = (/** @type {string} */ tag, /** @type {Record<string, string>} */ properties, /** @type {(string | Node)[]} */ ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

export class Said {
  #place

  /** @param {HTMLElement} place role="status" */
  constructor(place) {
    this.#place = place
  }

  /** @param {string} sentence @param {{undo?: boolean}} [how] */
  tell(sentence, { undo = false } = {}) {
    const button = made("button", { class: "button button-link key-hint", type: "button", "data-do": "undo" }, "Undo ", made("kbd", { class: "key" }, "⌫"))
    this.#place.replaceChildren(sentence, ...(undo ? [" ", button] : []))
  }

  /** @param {string} sentence @param {string} [url] of the case that it is about */
  complain(sentence, url = "") {
    const words = made("span", { class: "bad", role: "alert" }, sentence)
    this.#place.replaceChildren(words, ...(url ? [" ", made("a", { href: url }, "Back to the case")] : []))
  }
}
