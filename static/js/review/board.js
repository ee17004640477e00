// The case that is shown: chart, lines, words; and the next one, drawn before it is asked for.

import { prefetch } from "../chart/payload.js";
import { Detections } from "../shared/detections.js";
import { rowOf } from "./cases.js";

/** @typedef {import("./cases.js").Case} Case */

/** After the frame that is being made. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** Takes the focus out of what goes. */
function leave(old, part) {
  if (old !== part && old?.contains(document.activeElement))
    document.getElementById("content")?.focus({ preventScroll: true })
}

export class Board {
  /** @type {Case} the first one is put here before anything asks for it */
  here
  /** The case of which only the chart is shown yet. @type {Case | null} */
  unsaid = null
  /** Marks that a meeting has seen. @type {Set<string>} */
  revealed = new Set()
  /** @type {any[]} */
  marks = []

  constructor(chart, figure) {
    this.chart = chart
    this.figure = figure
    this.detections = new Detections(figure, chart)
  }

  get legend() {
    return this.detections.legend
  }

  get presenting() {
    return document.body.classList.contains("is-presenting")
  }

  /** Puts a case where the last one was: its chart at once, in the next frame what is said. */
  async show(shownCase) {
    await this.chart.show(shownCase.data.series)
    this.here = shownCase
    this.put("[data-case-head]", shownCase.head)
    if (shownCase.list) this.put("[data-list]", shownCase.list)
    this.pointOut(shownCase.url)
    document.title = shownCase.data.title
    this.figure.setAttribute("aria-label", shownCase.data.label)
    this.figure.dataset.chartName = shownCase.data.name
    // A key that comes now is meant for the new case.
    leave(document.querySelector("[data-case]"), shownCase.body)
    this.unsaid = shownCase
    await painted()
    if (this.unsaid === shownCase) this.settle()
  }

  /** Shows the words of the case below its chart at once: a key may come before the frame. */
  settle() {
    if (!this.unsaid) return
    this.unsaid = null
    this.put("[data-case]", this.here.body)
    this.bind()
  }

  /** The row of the case is the current one, and in view. */
  pointOut(url) {
    for (const row of document.querySelectorAll("[data-listed-case][aria-current]"))
      row.removeAttribute("aria-current")
    const row = rowOf(url)
    row?.setAttribute("aria-current", "true")
    row?.scrollIntoView({ block: "nearest" })
  }

  put(selector, part) {
    const old = document.querySelector(selector)
    if (old === part) return
    leave(old, part)
    old?.replaceWith(document.adoptNode(part))
  }

  /** Binds what the server rendered to the chart: again when workers have answered. */
  bind() {
    const section = this.here.body.querySelector("[data-detections]")
    this.revealed.clear()
    this.detections.explaining.opened.clear()
    this.detections.take(section, this.here.data.description, (marks) => {
      this.marks = marks
      return this.shownMarks
    })
    this.raised = null
    const { htmx } = globalThis
    if (section) htmx?.process?.(section) // the table asks for itself while workers are at it
  }

  get shownMarks() {
    return this.presenting ? this.marks.filter((mark) => this.revealed.has(mark.id)) : this.marks
  }

  drawMarks() {
    if (!this.legend) return
    this.legend.data = { ...this.legend.data, marks: this.shownMarks }
    this.legend.draw()
  }

  /** A meeting sees one mark more, or less; else it is raised. Annotators are numbered from 1. */
  point(number) {
    const numbered = this.marks.every((mark) => /^mark-a\d+$/.test(mark.id))
    const mark = numbered ? this.marks.find((markLine) => markLine.id === `mark-a${number}`)
      : this.marks[number - 1]
    if (!mark) return false
    if (!this.presenting) {
      this.raised = this.raised === mark.id ? null : mark.id
      this.chart.highlight(this.raised)
      return true
    }
    if (!this.revealed.delete(mark.id)) this.revealed.add(mark.id)
    this.drawMarks()
    return true
  }

  /** All detectors, or none of them. */
  toggleDetectors() {
    if (!this.legend) return
    const { entries, shown } = this.legend
    const on = entries.some(({ id }) => id !== "truth" && shown.has(id))
    const lines = entries.filter((entry) => entry.hasLine && (entry.id === "truth" || !on))
    this.legend.show(new Set(lines.map(({ id }) => id)), { isKept: false })
  }

  /** Draws the next chart into the hidden stage. @param {Promise<Case>} nextCase */
  async prepare(nextCase, isHere) {
    try {
      const { data } = await nextCase
      prefetch(data.series)
      if (isHere()) await this.chart.prepare(data.series)
    } catch {
      // Nothing is wrong yet: it is said if the person gets there before the network does.
    }
  }
}
