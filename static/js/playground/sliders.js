// A number and its slider: moving one moves the other.

import { toPosition, toValue } from "./scales.js";

const scaleOf = (slider) => ({
  low: Number(slider.dataset.low), high: Number(slider.dataset.high),
    log: slider.dataset.log === "true", whole: slider.dataset.whole === "true",
})

const fieldOf = (form, slider) => form.elements.namedItem(slider.dataset.for ?? "")

/** Puts every slider where its field is. */
export function align(form) {
  for (const slider of form.querySelectorAll("[data-for]")) placeSlider(form, slider)
}

function placeSlider(form, slider) {
  const { value } = fieldOf(form, slider)
  slider.value = String(toPosition(Number(value), scaleOf(slider)))
  slider.setAttribute("aria-valuetext", value)
}

/** Binds a form; `onChange` is called for every change of a value. */
export function connectSliders(form, onChange) {
  form.addEventListener("input", (event) => {
    const target = event.target
    if (target.matches("[data-play-choice]")) return // another method brings fields of its own
    if (target.dataset.for) {
      const field = fieldOf(form, target)
      field.value = String(toValue(Number(target.value), scaleOf(target)))
      target.setAttribute("aria-valuetext", field.value)
    } else {
      const slider = form.querySelector(`[data-for="${CSS.escape(target.name)}"]`)
      if (slider) placeSlider(form, slider)
    }
    onChange()
  })
  align(form)
}
