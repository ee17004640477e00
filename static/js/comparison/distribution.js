// The distribution of |Δ|: a cursor that reads every curve, and raises the nearest.

import { partsOf } from "../shared/elements.js";
import { percent, formatWhole } from "../shared/format.js";
import { curvesOf, onKey, largestSize, nearest, readings, toPx, toSize } from "./ecdf.js";
import { ToleranceHandle } from "./tolerance-handle.js";

export class Distribution {
  constructor(section, figure) {
    const part = partsOf(section)
    this.figure = figure
    this.curves = curvesOf(figure.figure)
    this.cursor = part("cursor")
    this.surface = part("surface")
    this.list = part("readings")
    this.at = part("reading-at")
    this.size = figure.meta.tolerance
    /** Whether a press opens what it means, and the curve that a finger meant last. */
    this.isMeant = true
    this.tapped = ""
    this.tolerance = new ToleranceHandle(part, this, figure.meta.tolerance)
    figure.host.addEventListener("plot:drawn", () => this.place())
    this.listen()
    this.place()
  }

  /** Box of the plot, by its margins and its width. */
  get plot() {
    const { margin: { l, r, t, b }, xaxis, height } = this.figure.figure.layout
    const { end } = this.figure.meta
    const rightEdge = l + ((this.figure.width - l - r) * end) / xaxis.range[1]
    return { left: l, right: rightEdge, top: t, bottom: height - b, end }
  }

  /** Lays cursor, surface and handle over the plot. */
  place() {
    const { left, right, top, bottom } = this.plot
    for (const node of [this.surface, this.tolerance.spot, this.cursor]) {
      node.style.top = `${top}px`
      node.style.height = `${bottom - top}px`
    }
    this.surface.style.left = `${left}px`
    this.surface.style.width = `${right - left}px`
    this.surface.hidden = false
    this.surface.setAttribute("aria-valuemax", String(largestSize(this.plot)))
    this.tolerance.place()
    this.read(this.size, { cursor: !this.cursor.hidden })
  }

  listen() {
    const leave = ({ pointerType }) => {
      if (pointerType === "touch") return // what a tap has read stays
      this.read(this.tolerance.size, { cursor: false })
      this.figure.raise(this.figure.kept)
    }
    for (const kind of ["pointermove", "pointerdown"])
      this.surface.addEventListener(kind, (event) => {
        this.read(this.sizeAt(event))
        this.point(this.curveAt(event), event)
      })
    for (const kind of ["pointerleave", "blur"]) this.surface.addEventListener(kind, leave)
    this.surface.addEventListener("click", (event) => this.isMeant && this.open(event))
    this.surface.addEventListener("keydown", (event) => {
      if (event.key === "Enter") return this.open(event)
      onKey(event, this.size, this.plot, (size) => this.read(size))
    })
    this.list.addEventListener("pointerover", ({ target }) =>
      this.figure.raise(target.closest("li")?.dataset.reading ?? this.figure.kept))
    this.list.addEventListener("pointerleave", () => this.figure.raise(this.figure.kept))
  }

  /** Raises a curve. A finger cannot point without pressing: its second tap on a curve opens. */
  point(name, { type, pointerType }) {
    if (type === "pointerdown") this.isMeant = pointerType !== "touch" || name === this.tapped
    this.tapped = name
    this.figure.raise(name)
  }

  /** The distance under the pointer. */
  sizeAt({ clientX }) {
    const { left } = this.figure.stage.getBoundingClientRect()
    return toSize(clientX - left, this.plot)
  }

  /** The method whose curve is nearest to the pointer. */
  curveAt({ clientY }) {
    const { top, bottom } = this.plot
    const y = clientY - this.figure.stage.getBoundingClientRect().top
    const share = (100 * (bottom - y)) / (bottom - top)
    return nearest(this.curves, this.size, share)
  }

  /** The series on which the raised method errs by at most the size that is read. */
  open(event) {
    const address = new URL(this.figure.meta.lists, location.href)
    address.searchParams.set("cell", `within~0~${this.size}`)
    address.searchParams.set("of", this.figure.raised)
    if (this.figure.raised) this.figure.open(address.href, event)
  }

  /** Reads every method at a distance. */
  read(size, { cursor = true } = {}) {
    this.size = size
    this.cursor.hidden = !cursor
    this.cursor.style.left = `${toPx(size, this.plot)}px`
    this.at.textContent = formatWhole(size)
    const curveReadings = readings(this.curves, size)
    for (const { name, share } of curveReadings) {
      const row = this.rowOf(name)
      row.querySelector(".figure-of").textContent = percent(share / 100)
      this.list.append(row)
    }
    this.say(curveReadings, size)
  }

  rowOf(name) {
    return this.list.querySelector(`[data-reading="${CSS.escape(name)}"]`)
  }

  say(curveReadings, size) {
    const code = (name) => this.rowOf(name)?.querySelector("b").textContent
    const words = curveReadings.slice(0, 3)
      .map(({ name, share }) => `${code(name)} ${percent(share / 100)}`)
    this.surface.setAttribute("aria-valuenow", String(size))
    const sentence = `${formatWhole(size)} iterations: ${words.join(", ")}`
    this.surface.setAttribute("aria-valuetext", sentence)
  }
}
