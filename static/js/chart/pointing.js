// @ts-check
// Where one points: own mark, pointer, keyboard cursor, the line that is raised. None of it draws the chart anew.

import { Viewing } from "./viewing.js";
import { reveal } from "./view.js";

export class Pointing extends Viewing {
  /** Own mark; costs a transform, no drawing. */
  setMark(/** @type {number | null} */ index) {
    const { stage } = this
    stage.marker.set(index, stage.hover ?? stage.cursor)
    stage.overview?.setMarks(stage)
    this.words.write(stage)
  }

  setHover(/** @type {number | null} */ index) {
    this.stage.hover = index
    this.stage.marker.set(this.stage.marker.index, index ?? this.stage.cursor)
    this.words.write(this.stage)
    this.options.onHover?.(index)
  }

  /** Keyboard cursor; comes into view, and is spoken. */
  setCursor(/** @type {number | null} */ index) {
    const { stage } = this
    stage.cursor = index === null ? null : Math.min(Math.max(index, 0), this.n - 1)
    stage.hover = null
    stage.marker.set(stage.marker.index, stage.cursor)
    if (stage.cursor !== null && (stage.cursor < stage.window[0] || stage.cursor >= stage.window[1])) this.setWindow(...reveal(stage.window, stage.cursor, this.n))
    this.words.write(stage, { aloud: true })
    this.options.onCursor?.(stage.cursor)
  }

  moveCursor(/** @type {number} */ by) {
    const { stage } = this
    const at = stage.cursor ?? stage.hover ?? stage.marker.index ?? stage.tint ?? Math.round((stage.window[0] + stage.window[1]) / 2) - by
    this.setCursor(at + by)
  }

  /** Raises one line; the others fade. Null raises none. */
  highlight(/** @type {string | null} */ id) {
    super.highlight(id)
    this.stage.overlay.classList.toggle("is-choosing", id !== null)
    for (const found of /** @type {NodeListOf<SVGElement>} */ (this.stage.overlay.querySelectorAll("[data-line]")))
      found.classList.toggle("is-raised", id !== null && (found.dataset.line ?? "").split(" ").includes(id))
  }
}
