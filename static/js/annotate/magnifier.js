// The loupe beside the number: stands while the mark moves a little, follows when it goes far.

import { Loupe } from "../chart/loupe.js";

const CLOSE = 30 // iterations; of the 40 on each side

/** Where the loupe looks for a mark: on as before if the mark is well inside. */
export const centred = (before, index) => (before !== null && Math.abs(index - before) <= CLOSE
  ? before : index)

export class Magnifier {
  #host
  #chart
  #loupe
  #centre = null
  #digest

  /** @param {(index: number) => void} onPick */
  constructor(host, chart, onPick) {
    this.#host = host
    this.#chart = chart
    const words = host.querySelector("[data-loupe-words]")
    this.#loupe = new Loupe(host, chart, { onPick, words })
    new ResizeObserver(() => this.show(chart.stage.marker.index)).observe(host)
  }

  /** @param {number | null} index of the mark */
  show(index) {
    const { digest } = this.#chart.stage.series ?? {}
    if (digest !== this.#digest) this.#centre = null
    this.#digest = digest
    this.#host.classList.toggle("is-empty", index === null)
    if (index === null) return this.#loupe.clear()
    this.#centre = centred(this.#centre, index)
    this.#loupe.draw(this.#centre, index)
  }
}
