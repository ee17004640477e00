// The loupe beside the number: stands while the mark moves a little, follows when it goes far.

const CLOSE = 30 // iterations; of the 40 on each side

/** Where the loupe looks for a mark: on as before if the mark is well inside. */
export const centred = (before, index) => (before !== null && Math.abs(index - before) <= CLOSE
  ? before : index)

export class Magnifier {
  #host
  #chart
  /** @type {import("../chart/loupe.js").Loupe | null} */
  #loupe = null
  #centre = null
  #digest

  /** @param {(index: number) => void} onPick */
  constructor(host, chart, onPick) {
    this.#host = host
    this.#chart = chart
    void this.#fetch(onPick)
  }

  /** The chart comes first: nobody looks closely at what is not drawn yet. */
  async #fetch(onPick) {
    const { Loupe } = await import("../chart/loupe.js")
    const words = this.#host.querySelector("[data-loupe-words]")
    this.#loupe = new Loupe(this.#host, this.#chart, { onPick, words })
    const again = () => this.show(this.#chart.stage.marker.index)
    new ResizeObserver(again).observe(this.#host)
  }

  /** @param {number | null} index of the mark */
  show(index) {
    const { digest } = this.#chart.stage.series ?? {}
    if (digest !== this.#digest) this.#centre = null
    this.#digest = digest
    this.#host.classList.toggle("is-empty", index === null)
    if (!this.#loupe) return
    if (index === null) return this.#loupe.clear()
    this.#centre = centred(this.#centre, index)
    this.#loupe.draw(this.#centre, index)
  }
}
