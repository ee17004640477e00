// Invocations follow the iteration that is clicked on the chart, or that its cursor is at.

document.addEventListener("plateau:chart", (event) => {
  const { options } = /** @type {CustomEvent} */ (event).detail
  const section = document.getElementById("invocations")
  const fold = section?.closest("details")
  if (!section || !fold) return
  /** @type {number | null} */
  let timer = null

  /** Asks for an iteration once the part is there. */
  const show = (/** @type {number} */ index) => {
    const input = section.querySelector("input[name=at]")
    timer = input ? null : index
    if (!(input instanceof HTMLInputElement) || Number(input.value) === index) return
    input.value = String(index)
    input.dispatchEvent(new Event("input", { bubbles: true }))
  }
  document.addEventListener("htmx:after:swap", () => timer !== null && show(timer))

  options.onPick = (/** @type {number} */ index, /** @type {string} */ phase) => {
    if (phase !== "click") return
    fold.open = true
    show(index)
  }
  const { onCursor } = options
  options.onCursor = (/** @type {number | null} */ index) => {
    onCursor?.(index)
    if (index !== null && fold.open) show(index)
  }
})
