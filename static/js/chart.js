// @ts-check
// The chart of a series: what a page may ask of it.

import { ACTIONS } from "./chart/actions.js";
import { connectGestures } from "./chart/gestures.js";
import { connectKeys } from "./chart/keyboard.js";
import { Pointing } from "./chart/pointing.js";
import { Stage } from "./chart/stage.js";
import { reveal } from "./chart/view.js";
import { whenIdle } from "./chart/waiting.js";
import { load } from "./payload.js";
import { plotter } from "./plotter.js";

export { precision, toIteration } from "./chart/scale.js";

export class Chart extends Pointing {
  /**
   * @param {HTMLElement} root the figure of _chart.html
   * @param {{onPick?: (index: number, phase: "click" | "drag" | "drop") => void, onHover?: (index: number | null) => void, onCursor?: (index: number | null) => void,
   *   onView?: (view: object) => void, onLine?: (id: string | null) => void, keys?: string | null,
   *   ticks?: boolean, lanes?: number}} options keys: scope of the key map, null for a page that asks `act` itself
   */
  constructor(root, options = {}) {
    super(root, options)
    this.places = { stages: part(root, "stages"), overview: root.querySelector("[data-chart-overview]") }
    this.stage = this.newStage()
    /** @type {Stage | null} */
    this.spare = null
    this.observer = new ResizeObserver(() => this.resized())
    this.observer.observe(this.places.stages)
    this.disconnect = connectKeys(this)
  }

  newStage() {
    const stage = new Stage(this.places, plotter, this.look)
    connectGestures(stage, {
      setWindow: ([from, to]) => this.setWindow(from, to),
      hover: (index) => this.setHover(index),
      pick: (index, phase) => this.options.onPick?.(index, phase),
    })
    stage.marker.away.addEventListener("click", () => this.setWindow(...reveal(stage.window, stage.marker.index ?? 0, this.n)))
    if (stage.overview) stage.overview.onWindow = ([from, to]) => this.setWindow(from, to)
    return stage
  }

  /** Shows a series: at once if it was prepared, else when its values are there. Rejects with PayloadError. */
  async show(/** @type {any} */ series) {
    this.wanted = series.digest
    if (this.spare?.drawn && this.spare.series?.digest === series.digest) return this.swap(series)
    const source = await load(series)
    if (this.wanted !== series.digest) return
    this.stage.take(series, source)
    this.drawNow()
  }

  /** Swaps the stages: what was drawn ahead is seen, what was seen is the next one's place. */
  swap(/** @type {any} */ series) {
    const next = /** @type {Stage} */ (this.spare)
    this.spare = this.stage
    this.stage = next
    Object.assign(next.series, series)
    next.show(true)
    this.spare.show(false)
    this.tell()
  }

  /** Draws a series into the hidden stage while nothing else is to do. */
  async prepare(/** @type {any} */ series) {
    this.preparing = series.digest
    const source = await load(series)
    await whenIdle(500)
    if (this.preparing !== series.digest || this.stage.series?.digest === series.digest) return
    this.spare ??= this.newStage()
    this.spare.show(false)
    this.spare.take(series, source)
    this.spare.draw()
  }

  /** Does what a key or button of that name does; false when it is none of the chart's. */
  act(/** @type {string} */ action) {
    if (!this.n || !Object.hasOwn(ACTIONS, action)) return false
    ACTIONS[action](this)
    return true
  }

  /** What makes files comes with the first one. */
  async download(/** @type {"png" | "svg" | "csv"} */ kind) {
    try {
      const { download } = await import("./chart/download.js")
      await download(this.stage, kind, this.root.dataset.chartName || "series")
    } catch (error) {
      this.words.complain(/** @type {Error} */ (error))
    }
  }

  resized() {
    const width = this.places.stages.clientWidth
    if (width === this.width) return
    this.width = width
    this.redraw()
    if (this.spare?.source) whenIdle(500).then(() => this.spare?.draw())
  }

  destroy() {
    this.observer.disconnect()
    this.disconnect()
    this.stage.destroy()
    this.spare?.destroy()
    this.wanted = this.preparing = undefined
  }
}

const part = (/** @type {HTMLElement} */ root, /** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-chart-${name}]`))

/** A chart in its figure; with a series, drawn as soon as the values are there. */
export const createChart = (/** @type {HTMLElement} */ root, /** @type {ConstructorParameters<typeof Chart>[1]} */ options) => new Chart(root, options)
