// Invocations follow the iteration that is clicked on the chart, or that its cursor is at.

document.addEventListener("plateau:chart", (event) => {
  const { options } = /** @type {CustomEvent} */ (event).detail
  const place = document.getElementById("invocations")
  const fold = place?.closest("details")
  if (!place || !fold) return
  /** @type {number | null} */
  let waiting = null

  /** Asks for an iteration once the part is there. */
  const show = (/** @type {number} */ index) => {
    const input = place.querySelector("input[name=at]")
    waiting = input ? null : index
    if (!(input instanceof HTMLInputElement) || Number(input.value) === index) return
    input.value = String(index)
    input.dispatchEvent(new Event("input", { bubbles: true }))
  }
  document.addEventListener("htmx:after:swap", () => waiting !== null && show(waiting))

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
