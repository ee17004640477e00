// The cut of the manual aids: dragged over the run sequence, written into the form, and asked.

import { connectEach } from "../shared/swapped.js";

/** The iteration under a place of the plot, and no later than one that leaves enough values. */
export function iterationAt(share, { start, count, latest }) {
  const found = start + Math.round(Math.min(Math.max(share, 0), 1) * (count - 1))
  return Math.max(start, Math.min(found, latest))
}

const numbers = (place) => ({
  start: Number(place.dataset.start), count: Number(place.dataset.count),
    latest: Number(place.dataset.latest),
})

/** Lets a person drag the cut over one plot. */
export function connect(place) {
  const cut = place.querySelector("[data-aids-cut]")
  const hint = place.parentElement?.querySelector("[data-aids-hint]")
  const known = numbers(place)
  place.dataset.ready = ""
  if (hint) hint.hidden = false
  /** @type {number | null} */
  let held = null
  const move = (event) => {
    const plot = place.querySelector(".nsewdrag")?.getBoundingClientRect()
    if (!plot) return // not drawn yet
    const share = (event.clientX - plot.left) / plot.width
    const left = plot.left - place.getBoundingClientRect().left
    cut.hidden = false
    cut.style.transform = `translateX(${left + Math.min(Math.max(share, 0), 1) * plot.width}px)`
    cut.dataset.text = String(iterationAt(share, known))
    cut.toggleAttribute("data-left", share > 0.8)
    if (held !== null) held = iterationAt(share, known)
  }
  place.addEventListener("pointermove", move)
  place.addEventListener("pointerleave", () => (cut.hidden = held === null))
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.target.closest(".nsewdrag")) return
    held = known.start
    place.setPointerCapture(event.pointerId)
    move(event)
  })
  place.addEventListener("pointercancel", () => (held = null))
  place.addEventListener("pointerup", () => {
    if (held !== null) choose(held)
    held = null
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
