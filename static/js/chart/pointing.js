// Pointing: own mark, pointer, cursor, the line that is raised; nothing is drawn again.

import { reveal } from "./view.js";

/** @typedef {"grip" | "drag" | "back" | "click" | "drop"} Phase of a mark in the making: its handle
 * is taken, it moves, it goes back to where it was; a click or the end of a drag is an answer */

export class Pointing {
  /** The line that is raised. @type {string | null} */
  raised = null
  #chart

  constructor(chart) {
    this.#chart = chart
  }

  /** Own mark; costs a transform, no drawing. */
  setMark(index, otherMarks = []) {
    const { stage, words } = this.#chart
    stage.marker.set(index, stage.hover ?? stage.cursor, otherMarks)
    stage.overview?.setMarks(stage)
    words.write(stage)
  }

  setHover(index) {
    const { stage, words } = this.#chart
    stage.hover = index
    stage.marker.set(stage.marker.index, index ?? stage.cursor)
    words.write(stage)
  }

  /** Keyboard cursor; comes into view, and is spoken. */
  setCursor(index) {
    const { stage, words, options, n } = this.#chart
    stage.cursor = index === null ? null : Math.min(Math.max(index, 0), n - 1)
    stage.hover = null
    stage.marker.set(stage.marker.index, stage.cursor)
    const [from, to] = stage.window
    if (stage.cursor !== null && (stage.cursor < from || stage.cursor >= to))
      this.#chart.setWindow(...reveal(stage.window, stage.cursor, n))
    words.write(stage, { aloud: true })
    options.onCursor?.(stage.cursor)
  }

  moveCursor(distance) {
    const { stage } = this.#chart
    const [from, to] = stage.window
    const index = stage.cursor ?? stage.hover ?? stage.marker.index ?? stage.tint
      ?? Math.round((from + to) / 2) - distance
    this.setCursor(index + distance)
  }

  /** Shows the line of an answer that has none, until null comes. */
  peek(answer) {
    const { overlay, window, plot } = this.#chart.stage
    overlay.querySelector(".line-peek")?.remove()
    for (const { classList, dataset } of overlay.querySelectorAll(".strip-answer"))
      classList.toggle("is-raised", dataset.line === answer?.id)
    if (answer && plot) overlay.append(this.#chart.look.strip.drawnPeek(answer, window, plot))
  }

  /** Raises one line; the others fade. Null raises none. */
  highlight(id) {
    const { overlay } = this.#chart.stage
    this.raised = id
    overlay.classList.toggle("is-choosing", id !== null)
    for (const { classList, dataset } of overlay.querySelectorAll("[data-line]"))
      classList.toggle("is-raised", id !== null && (dataset.line ?? "").split(" ").includes(id))
  }
}
