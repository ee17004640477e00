// View of a series: window, ranges, lines.

import { rested } from "../shared/waiting.js";
import { clamp } from "./view.js";

/** The window rests for so long before finer values are asked for. */
const REST = 100

export class Viewing {
  #chart
  #settle = rested(() => this.settled(), REST)

  constructor(chart) {
    this.#chart = chart
  }

  /** View to be kept with an answer. */
  get view() {
    const { window: [from, to], mode, log, plot } = this.#chart.stage
    return { from, to, mode, log, width: Math.round(plot?.width ?? 0), ratio: devicePixelRatio }
  }

  setWindow(from, to) {
    const { n } = this.#chart
    if (!n) return
    this.change({ window: clamp(from, to, n), moving: true })
    this.#chart.stage.overview?.setWindow(this.#chart.stage.window)
    this.#settle()
  }

  /** The window rests: finer values where there are some, and the y-range of what is in view. */
  async settled() {
    const { stage, words } = this.#chart
    stage.moving = false
    const isOwnRange = stage.mode === "window"
    const finer = await stage.source?.refine(...stage.window, stage.plot?.width ?? 1200, isOwnRange)
      .catch((error) => words.complain(error))
    if (stage === this.#chart.stage && (finer || isOwnRange)) this.#chart.redraw()
  }

  /** Shows something else of the series in the next frame. */
  change(settings) {
    Object.assign(this.#chart.stage, settings)
    this.#chart.redraw()
  }

  setYMode(mode) {
    this.change({ mode, moving: false })
    this.#settle()
  }

  setLog(on) {
    this.change({ log: on && Boolean(this.#chart.stage.canLog) })
    this.#settle()
  }

  /** The whole series in its robust range. */
  whole() {
    this.#chart.stage.mode = "robust"
    this.setWindow(0, this.#chart.n)
  }

  setLines(lines) {
    this.change({ lines: lines.filter(({ index }) => Number.isInteger(index) && index >= 0) })
  }

  /** Hides the figures of the axis where another panel below has them. */
  setTicks(on) {
    this.#chart.look.ticks = on
    this.#chart.redraw()
  }
}
