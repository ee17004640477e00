// Training: what is known of a series, shown after its answer and never before.

import { partsOf, svg } from "../shared/elements.js";
import { toPixel } from "../chart/scale.js";

/** @typedef {{low: number | null, high: number | null, verdict: string, why: string}} Known */

export class Feedback {
  #root
  #form
  #chart
  /** @type {[number, number] | null} */
  #band = null
  /** True from sending an answer to the next series: it counts once. */
  locked = false

  /** @param {HTMLElement} form hidden while feedback is shown */
  constructor(root, form, chart) {
    this.#root = root
    this.#form = form
    this.#chart = chart
    chart.onDraw((stage) => this.#draw(stage))
  }

  get shown() {
    return !this.#root.hidden
  }

  show({ low, high, verdict, why }) {
    const part = partsOf(this.#root, "feedback-")
    part("verdict").textContent = verdict
    part("why").textContent = why
    this.#band = low === null || high === null ? null : [low, high]
    this.#face(true)
    this.#root.focus()
  }

  /** Removes the feedback: the next series is shown, or the answer was refused. */
  hide() {
    this.locked = false
    this.#band = null
    this.#face(false)
  }

  #face(feedback) {
    this.#root.hidden = !feedback
    this.#form.hidden = feedback
    this.#chart.redraw()
  }

  /** The accepted band, as high as the plot. */
  #draw({ overlay, plot, range }) {
    if (!this.#band) return
    const { width } = plot
    const x = (index) => Math.min(Math.max(toPixel(index, { width, range }), 0), width)
    const [from, to] = [x(this.#band[0] - 0.5), x(this.#band[1] + 0.5)]
    overlay.append(svg("rect", { class: "chart-accepted", x: plot.left + from, y: plot.top,
      width: Math.max(to - from, 2), height: plot.height }))
  }
}
