// The form of a method: what it asks the server for, what was wrong with it, and when.

import { rested } from "../shared/waiting.js";
import { align, connectSliders } from "./sliders.js";

/** A slider rests for so long before its answer is asked for. */
const REST = 150

const defaultOf = (control) => control.dataset.default ?? ""

export class Method {
  constructor(form, onChange, onPress) {
    this.form = form
    connectSliders(form, rested(onChange, REST))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      onPress()
    })
    form.addEventListener("click", (event) => {
      if (!(event.target.closest("[data-play-reset]"))) return
      this.reset()
      onChange()
    })
  }

  reset() {
    for (const control of this.form.querySelectorAll("[data-default]")) {
      if (control.type === "checkbox") control.checked = defaultOf(control) === "true"
      else control.value = defaultOf(control)
    }
    align(this.form)
  }

  /** Values up to which the answer follows the slider. */
  get most() {
    return Number(this.form.querySelector("#play-parameters").dataset.most)
  }

  /** Fields for the server; a switch that is off is said too, an empty field means the default. */
  fields() {
    const body = new FormData()
    for (const [name, value] of new FormData(this.form)) if (value !== "") body.append(name, value)
    for (const box of this.form.querySelectorAll("input[type=checkbox]"))
      body.set(box.name, String(box.checked))
    return body
  }

  /** Marks the field that the server refused; none takes the marks away. */
  refuse(name = "") {
    for (const control of this.form.querySelectorAll("[data-default]"))
      control.toggleAttribute("aria-invalid", false)
    this.form.elements.namedItem(`p.${name}`) instanceof HTMLElement
      && this.form.elements.namedItem(`p.${name}`).setAttribute("aria-invalid", "true")
  }

  /** Shows the button where the answer does not follow the slider. */
  offer(button) {
    this.form.querySelector("[data-play-press]").hidden = !button
  }
}
