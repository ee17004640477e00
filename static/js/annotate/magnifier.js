// @ts-check
// The loupe beside the number: stays where it is while the mark moves a little, follows when it goes far.

import { Loupe } from "../loupe.js";

const CLOSE = 30 // iterations; of the 40 on each side

/** Where the loupe looks for a mark: on as before if the mark is well inside. @param {number | null} before @param {number} index */
export const centred = (before, index) => (before !== null && Math.abs(index - before) <= CLOSE ? before : index)

export class Magnifier {
  #host
  #chart
  #loupe
  /** @type {number | null} */
  #centre = null
  /** @type {string | undefined} */
  #digest

  /** @param {HTMLElement} host @param {any} chart @param {(index: number) => void} onPick */
  constructor(host, chart, onPick) {
    this.#host = host
    this.#chart = chart
    const words = /** @type {HTMLElement} */ (host.querySelector("[data-loupe-words]"))
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
