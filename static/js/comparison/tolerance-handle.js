// The tolerance of the page as a handle on the distribution's axis, to drag and to key.

import { onKey, largestSize, toPx } from "./ecdf.js";

const REST = 300 // ms after the last key until the page follows the tolerance

export class ToleranceHandle {
  /** @param {(name: string) => any} part elements of the section, by name */
  constructor(part, distribution, size) {
    this.distribution = distribution
    this.handle = part("handle")
    this.spot = part("place-of-handle")
    this.field = part("tolerance")
    this.size = size
    this.timer = 0
    this.handle.addEventListener("pointerdown", (event) => this.drag(event))
    this.handle.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") return this.settle("")
      onKey(event, this.size, distribution.plot, (newSize) => this.move(newSize, REST))
    })
  }

  place() {
    const { plot } = this.distribution
    this.spot.hidden = false
    this.spot.style.left = `${toPx(this.size, plot)}px`
    this.handle.setAttribute("aria-valuemax", String(largestSize(plot)))
    this.handle.setAttribute("aria-valuenow", String(this.size))
  }

  /** Follows the pointer until it is let go; Escape, or a lost pointer, leaves all as it was. */
  drag(event) {
    if (event.button) return
    const oldSize = this.size
    const dragEnd = new AbortController()
    const endDrag = (isKept) => {
      dragEnd.abort()
      delete this.handle.dataset.dragged
      if (!isKept) this.move(oldSize)
      else if (this.size !== oldSize) this.settle(String(this.size))
    }
    const on = (kind, act) => this.handle.addEventListener(kind, act, { signal: dragEnd.signal })
    this.handle.setPointerCapture(event.pointerId)
    this.handle.dataset.dragged = ""
    on("pointermove", (moving) => this.move(this.distribution.sizeAt(moving)))
    on("pointerup", () => endDrag(true))
    on("pointercancel", () => endDrag(false))
    on("keydown", (pressed) => pressed.key === "Escape" && endDrag(false))
  }

  /** Moves the line; after `rest` milliseconds, if given, the whole page follows. */
  move(size, delay = 0) {
    this.size = size
    this.place()
    this.distribution.read(size, { cursor: false })
    clearTimeout(this.timer)
    if (delay) this.timer = window.setTimeout(() => this.settle(String(size)), delay)
  }

  /** Asks for the page by this tolerance; empty: 5 % of each series. */
  settle(tolerance) {
    this.field.value = tolerance
    this.field.dispatchEvent(new Event("settled"))
  }
}
