// The cut of the manual aids: dragged over the run sequence, written into the form, and asked.

import { connectEach } from "../shared/swapped.js";

/** The iteration under a place of the plot, and no later than one that leaves enough values. */
export function iterationAt(share, { start, count, latest }) {
  const index = start + Math.round(Math.min(Math.max(share, 0), 1) * (count - 1))
  return Math.max(start, Math.min(index, latest))
}

const numbers = (plotNode) => ({
  start: Number(plotNode.dataset.start), count: Number(plotNode.dataset.count),
    latest: Number(plotNode.dataset.latest),
})

/** Lets a person drag the cut over one plot. */
export function connect(plotNode) {
  const cut = plotNode.querySelector("[data-aids-cut]")
  const hint = plotNode.parentElement?.querySelector("[data-aids-hint]")
  const shown = numbers(plotNode)
  plotNode.dataset.ready = ""
  if (hint) hint.hidden = false
  /** @type {number | null} */
  let heldIndex = null
  const move = (event) => {
    const plot = plotNode.querySelector(".nsewdrag")?.getBoundingClientRect()
    if (!plot) return // not drawn yet
    const share = (event.clientX - plot.left) / plot.width
    const leftOffset = plot.left - plotNode.getBoundingClientRect().left
    cut.hidden = false
    const pixels = Math.min(Math.max(share, 0), 1) * plot.width
    cut.style.transform = `translateX(${leftOffset + pixels}px)`
    cut.dataset.text = String(iterationAt(share, shown))
    cut.toggleAttribute("data-left", share > 0.8)
    if (heldIndex !== null) heldIndex = iterationAt(share, shown)
  }
  plotNode.addEventListener("pointermove", move)
  plotNode.addEventListener("pointerleave", () => (cut.hidden = heldIndex === null))
  plotNode.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.target.closest(".nsewdrag")) return
    heldIndex = shown.start
    plotNode.setPointerCapture(event.pointerId)
    move(event)
  })
  plotNode.addEventListener("pointercancel", () => (heldIndex = null))
  plotNode.addEventListener("pointerup", () => {
    if (heldIndex !== null) choose(heldIndex)
    heldIndex = null
  })
}

function choose(iteration) {
  const form = document.querySelector("form[data-aids-form]")
  const input = form?.querySelector("input[name=from]")
  if (!form || !input || Number(input.value) === iteration) return
  input.value = String(iteration)
  form.requestSubmit()
}

connectEach("[data-aids-run]", connect)
