// The line that says what became of a decision, with the way to take it back.

import { html } from "../shared/elements.js";

const UNDO = { class: "button button-link key-hint", type: "button", "data-do": "undo" }

export class Said {
  #place

  /** @param {HTMLElement} host role="status" */
  constructor(host) {
    this.#place = host
  }

  tell(sentence, { undo = false } = {}) {
    const button = html("button", UNDO, "Undo ", html("kbd", { class: "key" }, "⌫"))
    this.#place.replaceChildren(sentence, ...(undo ? [" ", button] : []))
  }

  /** @param {string} url of the case that it is about */
  complain(sentence, url = "") {
    const words = html("span", { class: "bad", role: "alert" }, sentence)
    const link = url ? [" ", html("a", { href: url }, "Back to the case")] : []
    this.#place.replaceChildren(words, ...link)
  }

  /** Asks somebody who is signed out to sign in; in another tab, so that nothing is lost. */
  signIn() {
    const look = { href: location.href, target: "_blank", rel: "noopener" }
    this.#place.replaceChildren(html("a", look, "Sign in in a new tab"), ", then come back.")
  }
}
