// Own mark, its tint, and the cursor: moved by a transform alone, so that a key draws nothing.

import { whole } from "../shared/format.js";
import { html } from "../shared/elements.js";
import { toPixel } from "./scale.js";

const LABEL_ROOM = 130

export class Marker {
  constructor(surface) {
    this.surface = surface
    this.tint = html("div", { class: "chart-mark-tint" })
    this.text = html("span", { class: "chart-mark-text" })
    this.handle = html("span", { class: "chart-handle" })
    this.line = html("div", { class: "chart-mark" }, this.handle, this.text)
    this.cursor = html("div", { class: "chart-cursor" })
    this.away = html("button", { class: "button chart-away", type: "button", tabindex: -1 })
    const clip = html("div", { class: "chart-clip" }, this.tint, this.cursor)
    surface.append(clip, this.line, this.away)
    this.plot = { width: 1, range: /** @type {[number, number]} */ ([0, 1]) }
    this.index = null
    this.at = null
  }

  /** Mark and cursor; null is none. */
  set(index, cursor) {
    this.index = index
    this.at = cursor
    this.move()
  }

  place(/** @type {{width: number, range: [number, number]}} */ plot) {
    this.plot = plot
    this.move()
  }

  move() {
    const { width } = this.plot
    this.moveCursor()
    const px = this.index === null ? 0 : toPixel(this.index, this.plot)
    const inView = this.index !== null && px >= -0.5 && px <= width + 0.5
    this.line.hidden = !inView
    this.tint.hidden = this.index === null || px > width
    this.away.hidden = this.index === null || inView
    if (this.index === null) return
    this.tint.style.transform = `translateX(${Math.max(0, px)}px)`
    if (!inView) return this.pointAway(px)
    this.line.style.transform = `translateX(${px}px)`
    this.line.classList.toggle("is-left", px > width - LABEL_ROOM)
    this.text.textContent = `steady from ${whole(this.index)}`
  }

  moveCursor() {
    const px = this.at === null ? -9 : toPixel(this.at, this.plot)
    this.cursor.hidden = this.at === null
    this.cursor.style.transform = `translateX(${px}px)`
  }

  /** A button at the edge for a mark out of the window. */
  pointAway(px) {
    const name = `mark at ${whole(this.index)}`
    this.away.textContent = px < 0 ? `◀ ${name}` : `${name} ▶`
    this.away.classList.toggle("is-left", px < 0)
  }
}
