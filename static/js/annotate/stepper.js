// A number between a minus and a plus; above its top it is empty, which means all.

/**
 * What a press makes of the text in the field. Pure.
 * @param {string} text "" is all, which comes after `top`
 * @param {number} change what a press adds; below 0 it takes away
 */
export function textAfterStep(text, change, top) {
  const size = Math.abs(change)
  if (text.trim() === "") return change < 0 ? String(top) : ""
  const current = Number(text)
  if (!Number.isFinite(current)) return text
  // To the next whole multiple of the step, so that 12 goes to 20 and 10, not to 22 and 2.
  const multiple = change > 0 ? Math.floor(current / size) + 1 : Math.ceil(current / size) - 1
  const following = multiple * size
  return change > 0 && following > top ? "" : String(Math.max(Math.min(following, top), 1))
}

export function connect(stepper) {
  const input = stepper.querySelector("input")
  const { stepper: size, top } = stepper.dataset
  stepper.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-by]")
    if (!button) return
    input.value = textAfterStep(input.value, Number(button.dataset.by) * Number(size), Number(top))
    input.dispatchEvent(new Event("change", { bubbles: true }))
  })
}

if (globalThis.document)
  for (const one of document.querySelectorAll("[data-stepper]")) connect(one)
