// The two stages of a chart: the one that is seen, and one in which the next series is drawn ahead.

import { whenIdle } from "../shared/waiting.js";
import { load } from "./payload.js";
import { plotter } from "../shared/plotter.js";
import { Stage } from "./stage.js";

export class Stages {
  /** @type {Stage | null} */
  spare = null
  #make
  #wanted
  #preparing
  #width

  /**
   * @param {{stages: HTMLElement, overview: HTMLElement | null}} hosts
   * @param {(stage: Stage) => void} connect called with each new stage
   * @param {() => void} onResize called when the one that is seen must be drawn for another width
   */
  constructor(hosts, look, connect, onResize) {
    this.#make = () => {
      const stage = new Stage(hosts, plotter, look)
      connect(stage)
      return stage
    }
    this.shown = this.#make()
    new ResizeObserver(() => this.#resized(hosts.stages.clientWidth, onResize))
      .observe(hosts.stages)
  }

  /** Puts a series where it is seen: "prepared" if it is drawn already, "taken" if it is to be
   * drawn, "" if another one is wanted by now. Rejects with PayloadError. */
  async show(series) {
    this.#wanted = series.digest
    const { spare } = this
    if (spare?.drawn && spare.series?.digest === series.digest) return this.#swap(series, spare)
    const source = await load(series)
    if (this.#wanted !== series.digest) return ""
    this.shown.take(series, source)
    return "taken"
  }

  /** Shows the stage that was drawn ahead; the old stage is the place of the next series. */
  #swap(series, nextStage) {
    this.shown.show(false)
    this.spare = this.shown
    this.shown = nextStage
    Object.assign(nextStage.series, series)
    nextStage.show(true)
    return "prepared"
  }

  /** Draws a series into the hidden stage while nothing else is to do. */
  async prepare(series) {
    this.#preparing = series.digest
    const source = await load(series)
    await whenIdle(500)
    const { digest } = this.shown.series ?? {}
    if (this.#preparing !== series.digest || digest === series.digest) return
    const spare = (this.spare ??= this.#make())
    spare.show(false)
    spare.take(series, source)
    spare.draw()
  }

  #resized(width, onResize) {
    if (width === this.#width) return
    this.#width = width
    onResize()
    if (this.spare?.source) whenIdle(500).then(() => this.spare?.draw())
  }
}
