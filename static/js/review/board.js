// @ts-check
// The case that is shown: its chart, its lines, its words; and the next one, drawn before it is asked for.

import { prefetch } from "../payload.js";
import { Explaining } from "../series_page/explaining.js";
import { Legend } from "../comparison/legend.js";

/** @typedef {import("./cases.js").Case} Case */

/** After the frame that is being made. */
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))

/** Takes the focus out of what goes. @param {Element | null} old @param {Element} part */
function leave(old, part) {
  if (old !== part && old?.contains(document.activeElement)) document.getElementById("content")?.focus({ preventScroll: true })
}

export class Board {
  /** @type {Case} */
  here = /** @type {any} */ (null)
  /** @type {Legend | null} */
  legend = null
  /** The case of which only the chart is shown yet. @type {Case | null} */
  unsaid = null
  /** Marks that a meeting has seen. @type {Set<string>} */
  revealed = new Set()

  /** @param {any} chart @param {HTMLElement} figure */
  constructor(chart, figure) {
    this.chart = chart
    this.figure = figure
    this.explaining = new Explaining(/** @type {HTMLElement} */ (figure.querySelector("[data-chart-evidence]")), chart)
    chart.options.onLine = (/** @type {string | null} */ id) => this.legend?.raiseRow(id)
  }

  get presenting() {
    return document.body.classList.contains("is-presenting")
  }

  /** Puts a case where the one before was: the chart at once if it was prepared, in the next frame what is said of it. @param {Case} found */
  async show(found) {
    await this.chart.show(found.data.series)
    this.here = found
    this.put("[data-case-head]", found.head)
    document.title = found.title
    this.figure.setAttribute("aria-label", found.label)
    this.figure.dataset.chartName = found.file
    leave(document.querySelector("[data-case]"), found.body) // a key that comes now is meant for the new case
    this.unsaid = found
    await painted()
    if (this.unsaid === found) this.settle()
  }

  /** What is said of the case stands below its chart: now, where a key comes before the frame. */
  settle() {
    if (!this.unsaid) return
    this.unsaid = null
    this.put("[data-case]", this.here.body)
    this.bind()
  }

  /** @param {string} selector @param {HTMLElement} part */
  put(selector, part) {
    const old = document.querySelector(selector)
    if (old === part) return
    leave(old, part)
    old?.replaceWith(document.adoptNode(part))
  }

  /** Binds what the server rendered to the chart: again when workers have answered. */
  bind() {
    const section = /** @type {HTMLElement} */ (this.here.body.querySelector("[data-detections]"))
    const data = JSON.parse(section.querySelector("#overlay-data")?.textContent ?? "{}")
    const description = this.figure.querySelector("#chart-description")
    if (description) description.textContent = `${this.here.description} ${data.description}`
    this.marks = data.marks
    this.revealed.clear()
    const box = /** @type {HTMLInputElement | null} */ (this.here.body.querySelector("[data-show-marks]"))
    if (box) box.checked = true
    box?.addEventListener("change", () => this.legend?.draw())
    this.legend = new Legend(section, this.chart, { ...data, marks: this.shownMarks })
    if (this.explaining.opened.size) {
      this.explaining.opened.clear()
      this.explaining.show()
    }
    this.raised = null
    const { htmx } = /** @type {any} */ (globalThis)
    htmx?.process?.(section) // the table asks for itself while workers are at it
  }

  get shownMarks() {
    return this.presenting ? this.marks.filter((/** @type {any} */ mark) => this.revealed.has(mark.id)) : this.marks
  }

  drawMarks() {
    if (!this.legend) return
    this.legend.data = { ...this.legend.data, marks: this.shownMarks }
    this.legend.draw()
  }

  /** A meeting sees one mark more, or less; otherwise it is raised. @param {number} number of the annotator, from 1 */
  point(number) {
    const numbered = this.marks.every((/** @type {any} */ mark) => /^mark-a\d+$/.test(mark.id))
    const mark = numbered ? this.marks.find((/** @type {any} */ one) => one.id === `mark-a${number}`) : this.marks[number - 1]
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
    const on = this.legend.entries.some((one) => one.id !== "truth" && this.legend?.shown.has(one.id))
    const lines = this.legend.entries.filter((one) => one.hasLine && (one.id === "truth" || !on)).map((one) => one.id)
    this.legend.show(new Set(lines), { keep: false })
  }

  /** Draws the next chart into the hidden stage. @param {Promise<Case>} next @param {() => boolean} isHere */
  async prepare(next, isHere) {
    try {
      const { data } = await next
      prefetch(data.series)
      if (isHere()) await this.chart.prepare(data.series)
    } catch {
      // Nothing is wrong yet: it is said if the person gets there before the network does.
    }
  }
}
