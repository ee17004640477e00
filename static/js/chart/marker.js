// Own mark, its tint, and the cursor: moved by a transform alone, so that a key draws nothing.

import { formatWhole } from "../shared/format.js";
import { html } from "../shared/elements.js";
import { toPixel } from "./scale.js";

const LABEL_ROOM = 130

function otherMark(px) {
  const line = html("div", { class: "chart-mark" })
  line.style.transform = `translateX(${px}px)`
  return line
}

export class Marker {
  /** @param {string} word before the iteration of the mark */
  constructor(surface, word = "steady from") {
    this.surface = surface
    this.word = word
    this.tint = html("div", { class: "chart-mark-tint" })
    this.text = html("span", { class: "chart-mark-text" })
    this.handle = html("span", { class: "chart-handle" })
    this.line = html("div", { class: "chart-mark" }, this.handle, this.text)
    this.cursor = html("div", { class: "chart-cursor" })
    this.away = html("button", { class: "button chart-away", type: "button", tabindex: -1 })
    const clip = html("div", { class: "chart-clip" }, this.tint, this.cursor)
    this.rest = html("div", { class: "chart-others" })
    surface.append(clip, this.rest, this.line, this.away)
    this.plot = { width: 1, range: /** @type {[number, number]} */ ([0, 1]) }
    this.index = null
    this.at = null
    /** @type {number[]} */
    this.others = []
  }

  /** Mark and cursor, null is none; `others`: further marks, which have no words. */
  set(index, cursor, otherMarks = this.others) {
    this.index = index
    this.at = cursor
    this.others = otherMarks
    this.move()
  }

  place(/** @type {{width: number, range: [number, number]}} */ plot) {
    this.plot = plot
    this.move()
  }

  move() {
    const { width } = this.plot
    this.moveCursor()
    this.rest.replaceChildren(...this.others.map((index) => toPixel(index, this.plot))
      .filter((px) => px >= -0.5 && px <= width + 0.5).map(otherMark))
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
    this.text.textContent = `${this.word} ${formatWhole(this.index)}`
  }

  moveCursor() {
    const px = this.at === null ? -9 : toPixel(this.at, this.plot)
    this.cursor.hidden = this.at === null
    this.cursor.style.transform = `translateX(${px}px)`
  }

  /** A button at the edge for a mark out of the window. */
  pointAway(px) {
    const name = `mark at ${formatWhole(this.index)}`
    this.away.textContent = px < 0 ? `◀ ${name}` : `${name} ▶`
    this.away.classList.toggle("is-left", px < 0)
  }
}
