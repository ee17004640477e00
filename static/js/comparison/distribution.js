// The distribution of |Δ|: a cursor that reads every curve, and the tolerance as a line to drag.

import { percent, whole } from "../shared/format.js";
import { most, moved, readings, steps, toPx, toSize } from "./ecdf.js";

const REST = 300 // ms after the last key until the page follows the tolerance

export class Distribution {
  /** @param {HTMLElement} host the drawing */
  constructor(host) {
    const figure = host.closest("section")
    const part = (name) => figure.querySelector(`[data-${name}]`)
    this.data = JSON.parse(document.getElementById("ecdf-data")?.textContent ?? "{}")
    this.curves = Object.fromEntries(Object.entries(this.data.steps)
      .map(([name, each]) => [name, steps(each)]))
    this.cursor = part("cursor")
    this.surface = part("surface")
    this.handle = part("handle")
    this.spot = part("place-of-handle")
    this.threshold = part("threshold")
    this.field = part("tolerance")
    this.list = part("readings")
    this.at = part("reading-at")
    this.tolerance = this.size = this.data.tolerance
    this.timer = 0
    this.place()
    this.listen(host)
  }

  /** Lays cursor, surface and handle over the plot. */
  place() {
    const { left, right, top, bottom } = this.data
    for (const each of [this.surface, this.spot, this.cursor]) {
      each.style.top = `${top}px`
      each.style.height = `${bottom - top}px`
    }
    this.surface.style.left = `${left}px`
    this.surface.style.width = `${right - left}px`
    this.spot.style.left = `${toPx(this.tolerance, this.data)}px`
    this.surface.hidden = this.spot.hidden = false
    for (const each of [this.surface, this.handle])
      each.setAttribute("aria-valuemax", String(most(this.data)))
    this.read(this.tolerance, { cursor: false })
  }

  listen(host) {
    const sizeAt = (event) => toSize(event.clientX - host.getBoundingClientRect().left, this.data)
    for (const kind of ["pointermove", "pointerdown"])
      this.surface.addEventListener(kind, (event) => this.read(sizeAt(event)))
    this.surface.addEventListener("pointerleave", () =>
      this.read(this.tolerance, { cursor: false }))
    this.surface.addEventListener("blur", () => this.read(this.tolerance, { cursor: false }))
    this.surface.addEventListener("keydown", (event) =>
      this.onKey(event, this.size, (size) => this.read(size)))
    this.handle.addEventListener("pointerdown", (event) => this.drag(event, sizeAt))
    this.handle.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") return this.settle("")
      this.onKey(event, this.tolerance, (size) => this.move(size, REST))
    })
  }

  onKey(event, from, /** @type {(size: number) => void} */ act) {
    const size = event.ctrlKey || event.altKey || event.metaKey ? null
      : moved(from, event, most(this.data))
    if (size === null) return
    event.preventDefault()
    act(size)
  }

  /** Follows the pointer until it is let go; Escape, or a lost pointer, leaves all as it was. */
  drag(event, /** @type {(event: PointerEvent) => number} */ sizeAt) {
    if (event.button) return
    const before = this.tolerance
    const over = new AbortController()
    const done = (kept) => {
      over.abort()
      delete this.handle.dataset.dragged
      if (!kept) this.move(before)
      else if (this.tolerance !== before) this.settle(String(this.tolerance))
    }
    const on = (kind, act) => this.handle.addEventListener(kind, act, { signal: over.signal })
    this.handle.setPointerCapture(event.pointerId)
    this.handle.dataset.dragged = ""
    on("pointermove", (moving) => this.move(sizeAt(moving)))
    on("pointerup", () => done(true))
    on("pointercancel", () => done(false))
    on("keydown", (pressed) => pressed.key === "Escape" && done(false))
  }

  /** Moves the line; after `rest` milliseconds, if given, the whole page follows. */
  move(size, rest = 0) {
    this.tolerance = size
    const px = toPx(size, this.data)
    this.spot.style.left = `${px}px`
    this.threshold.setAttribute("transform", `translate(${px} 0)`)
    const text = /** @type {SVGTextElement} */ (this.threshold.querySelector("text"))
    text.textContent = `tolerance ${whole(size)}`
    text.setAttribute("x", px > 200 ? "-8" : "8")
    text.setAttribute("text-anchor", px > 200 ? "end" : "start")
    this.read(size, { cursor: false })
    clearTimeout(this.timer)
    if (rest) this.timer = window.setTimeout(() => this.settle(String(size)), rest)
  }

  /** Asks for the page by this tolerance; empty: 5 % of each series. */
  settle(tolerance) {
    this.field.value = tolerance
    this.field.dispatchEvent(new Event("settled"))
  }

  /** Reads every method at a distance. */
  read(size, { cursor = true } = {}) {
    this.size = size
    this.cursor.hidden = !cursor
    this.cursor.style.left = `${toPx(size, this.data)}px`
    this.at.textContent = whole(size)
    const found = readings(this.curves, this.data.n, size)
    for (const { name, share } of found) {
      const row = this.rowOf(name)
      row.querySelector(".figure-of").textContent = percent(share)
      this.list.append(row)
    }
    this.say(found, size)
  }

  rowOf(name) {
    return this.list.querySelector(`[data-reading="${CSS.escape(name)}"]`)
  }

  say(found, size) {
    const code = (name) => this.rowOf(name)?.querySelector("b").textContent
    const words = found.slice(0, 3).map(({ name, share }) => `${code(name)} ${percent(share)}`)
    this.surface.setAttribute("aria-valuenow", String(size))
    this.surface.setAttribute("aria-valuetext", `${whole(size)} iterations: ${words.join(", ")}`)
    this.handle.setAttribute("aria-valuenow", String(this.tolerance))
  }
}
