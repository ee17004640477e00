// Destination of waiting files: in words, with only the fields that matter. Works without script.

import { html } from "../shared/elements.js";
import { formatWhole } from "../shared/format.js";

/** The choice of a data set that is not there yet; series/import_pages/forms.py has the same. */
const NEW = "+"

/** The parts of `New data set Nightly, recording week 47.`; every other one is a name. */
export function target(isNew, dataset, label) {
  const recording = label ? [", recording ", label, "."] : [", a recording for each file."]
  return [isNew ? "New data set " : "Data set ", dataset || "without a name", ...recording]
}

const emphasised = (text, index) => html(index % 2 ? "b" : "span", {}, text)

/** Series of the files that are chosen. */
export function chosenSeries(boxes) {
  return [...boxes].filter((box) => box.checked)
    .reduce((sum, box) => sum + Number(box.dataset.series), 0)
}

function connectTarget(form) {
  const { dataset, name, label } = form.elements
  const words = form.querySelector("[data-into]")
  const show = () => {
    for (const part of form.querySelectorAll("[data-new-dataset]"))
      part.hidden = dataset.value !== NEW
    const isNew = dataset.value === NEW
    const called = isNew ? name.value : dataset.options[dataset.selectedIndex].text
    words.replaceChildren(...target(isNew, called, label.value).map(emphasised))
  }
  form.addEventListener("input", show)
  show()
}

/** Boxes beside the files belong to the form, but stand outside of it: it hears of them here. */
function connectBoxes(form) {
  const boxes = [...document.querySelectorAll(`input[name=uploads][form="${form.id}"]`)]
  const count = document.querySelector("[data-included]")
  function hear() {
    if (count) count.textContent = formatWhole(chosenSeries(boxes))
    form.dispatchEvent(new Event("forecast"))
  }
  for (const box of boxes) box.addEventListener("change", hear)
  // A quick hand was there before the scripts, or the browser remembers what was chosen.
  addEventListener("load", () => {
    if (boxes.some((box) => box.checked !== box.defaultChecked)) hear()
  })
}

/** A link to a field opens what it stands in, and leaves the person in the field. */
function reveal(event) {
  const link = event.target.closest?.('a[href^="#"]')
  const target = link && document.getElementById(link.hash.slice(1))
  const around = target?.closest("details")
  if (!around) return
  event.preventDefault()
  const form = "openAll" in link.dataset && around.closest("form")
  for (const part of form ? form.querySelectorAll("details") : [around]) part.open = true
  target.scrollIntoView({ block: "center" })
  const field = target === around ? around.querySelector("input, select") : target
  field?.focus({ preventScroll: true })
}

if (globalThis.document) {
  for (const form of document.querySelectorAll("[data-confirm]")) {
    connectTarget(form)
    connectBoxes(form)
  }
  document.addEventListener("click", reveal)
}
