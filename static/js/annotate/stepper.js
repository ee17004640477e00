// A number between a minus and a plus; above its top it is empty, which means all.

/**
 * What a press makes of the text in the field. Pure.
 * @param {string} text "" is all, which comes after `top`
 * @param {number} by what a press adds; below 0 it takes away
 */
export function stepped(text, by, top) {
  const size = Math.abs(by)
  if (text.trim() === "") return by < 0 ? String(top) : ""
  const now = Number(text)
  if (!Number.isFinite(now)) return text
  // To the next whole multiple of the step, so that 12 goes to 20 and 10, not to 22 and 2.
  const next = by > 0 ? (Math.floor(now / size) + 1) * size : (Math.ceil(now / size) - 1) * size
  return by > 0 && next > top ? "" : String(Math.max(Math.min(next, top), 1))
}

export function connect(stepper) {
  const input = stepper.querySelector("input")
  const { stepper: size, top } = stepper.dataset
  stepper.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-by]")
    if (!button) return
    input.value = stepped(input.value, Number(button.dataset.by) * Number(size), Number(top))
    input.dispatchEvent(new Event("change", { bubbles: true }))
  })
}

if (globalThis.document)
  for (const one of document.querySelectorAll("[data-stepper]")) connect(one)
