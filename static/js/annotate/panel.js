// The answer panel: shows the answer that is being made, and takes a number.

import { html, partsOf } from "../shared/elements.js";
import { describe, isChanged, obstacle } from "./marks.js";

/** @typedef {import("./marks.js").State} State */

/** The iteration that was typed, or a sentence why it is none; changes begin at a first of 1. */
export function typedIndex(text, n, position, start = 0) {
  const digits = text.replace(/[\s\u2009\u00a0]/g, "")
  const index = Number(digits)
  if (/^\d+$/.test(digits) && index >= start && index < n) return { index, problem: "" }
  const verb = start ? "can change at" : "has"
  return { index: null, problem: `Series ${position} ${verb} iterations ${start} to ${n - 1}.` }
}

/** Sentence of the panel on the state of the answer. @param {State} state */
export function phaseText(state) {
  if (state.phase === "refused") return state.reason
  if (!state.kept) return ""
  const words = describe(state.kept)
  if (state.phase === "again") return `Your answer was ${words}: save it again, or change it`
  if (isChanged(state)) return state.phase === "saved" ? `Saved is ${words}`
    : `On its way is ${words}`
  return state.phase === "saved" ? `Saved: ${words}` : `Not yet sent: ${words}`
}

export class Panel {
  #root
  #part
  #field
  #position = 0
  #n = 1
  #first
  #onIndex

  /** @param {(index: number) => void} onIndex a number was typed @param {(position: number) =>
   * void} onRemove a change was pressed */
  constructor(root, onIndex, onRemove) {
    this.#root = root
    this.#part = partsOf(root, "answer-")
    this.#onIndex = onIndex
    this.#first = this.#part("changes") ? 1 : 0
    this.#field = this.#part("index")
    this.#field.addEventListener("change", () => this.#take())
    this.#field.addEventListener("keydown", (event) => this.#key(event))
    this.#part("changes")?.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-change]")
      if (button) onRemove(Number(button.dataset.change))
    })
  }

  render(state, position) {
    this.#position = position
    this.#n = state.n
    const { kind, index, changes, unsure, difficulty, note } = state.answer
    this.#field.value = index === null ? "" : String(index)
    this.#root.dataset.kind = kind
    const pressed = changes && !changes.length ? "never" : kind
    for (const name of ["steady", "never", "unclear"])
      this.#part(name)?.setAttribute("aria-pressed", String(pressed === name))
    this.#part("changes")?.replaceChildren(...(changes ?? []).map((position) =>
      html("button", { class: "button button-tool", type: "button", "data-change": position,
        "aria-label": `Remove the change at ${position}` }, `${position} ×`)))
    for (const level of this.#root.querySelectorAll("[data-answer-difficulty]")) {
      const isChosen = Number(level.dataset.answerDifficulty) === difficulty
      level.setAttribute("aria-pressed", String(isChosen))
    }
    const flag = this.#part("unsure")
    flag.checked = unsure
    flag.disabled = kind === "empty" || kind === "unclear"
    this.#part("note").classList.toggle("has-note", note !== "")
    this.#part("note").title = note
    this.#part("undo").disabled = state.past.length === 0
    this.#part("redo").disabled = state.future.length === 0
    this.#part("clear").disabled = kind === "empty"
    this.#part("phase").textContent = phaseText(state)
    if (!obstacle(state)) this.complain("")
  }

  /** The number while the mark is dragged. @param {number | null} index */
  preview(index) {
    this.#field.value = String(index ?? "")
  }

  /** Says why an answer cannot be taken; empty takes it back. */
  complain(sentence) {
    this.#part("obstacle").textContent = sentence
    this.#field.setAttribute("aria-invalid", String(sentence.startsWith("Series ")))
  }

  /** A draft from before the page was opened. */
  draft(text) {
    this.#part("draft").hidden = !text
    this.#part("draft-text").textContent = text
  }

  /** Takes a number that was typed and not left yet; returns why the text is no iteration. */
  commit() {
    if (document.activeElement === this.#field) this.#take()
    const text = this.#field.value.trim()
    return text ? typedIndex(text, this.#n, this.#position, this.#first).problem : ""
  }

  /** Takes over the number field, or complains of its text. */
  #take() {
    if (!this.#field.value.trim()) return
    const { index, problem } = typedIndex(this.#field.value, this.#n, this.#position, this.#first)
    this.complain(problem)
    if (index !== null) this.#onIndex(index)
  }

  /** Enter takes the number and gives the keys back to the chart; up and down count. */
  #key(event) {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      this.#take()
      if (this.#field.getAttribute("aria-invalid") !== "true")
        this.#root.dispatchEvent(new CustomEvent("answer-typed", { bubbles: true }))
    }
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step) {
      const least = this.#first
      const text = this.#field.value || String(least)
      const current = typedIndex(text, this.#n, this.#position, least).index
      if (current !== null)
        this.#field.value = String(Math.min(Math.max(current + step, least), this.#n - 1))
      this.#field.dispatchEvent(new Event("change"))
      event.preventDefault()
    }
  }
}
