// The loupe beside the number: stands while the mark moves a little, follows when it goes far.

const CLOSE = 30 // iterations; of the 40 on each side

/** Centre of the loupe for a mark: the old one while the mark is well inside. */
export const loupeCentre = (centre, index) => (centre !== null && Math.abs(index - centre) <= CLOSE
  ? centre : index)

/** Room between a finger and the loupe above it, and between the loupe and the window's edge. */
const ABOVE = 52
const EDGE = 8
const PHONE = "(width < 700px), (height < 500px) and (pointer: coarse)" // as in css/annotate.css

export class Magnifier {
  #host
  #chart
  /** @type {import("../chart/loupe.js").Loupe | null} */
  #loupe = null
  #centre = null
  #digest

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

  get #floats() {
    return this.#host.classList.contains("is-floating")
  }

  /** Places the loupe above the finger on a phone, else below or beside it; null closes it. */
  float(/** @type {PointerEvent | null} */ event) {
    this.#host.classList.toggle("is-floating", Boolean(event) && matchMedia(PHONE).matches)
    this.#chart.places.stages.classList.toggle("is-touched", this.#floats)
    if (!event || !this.#floats) return
    const { offsetWidth: width, offsetHeight: height } = this.#host
    const { clientX: x, clientY: y } = event
    const above = y - ABOVE - height
    const isBeside = above < EDGE && y + ABOVE + height > innerHeight
    const side = x < innerWidth / 2 ? x + ABOVE : x - ABOVE - width
    const wantedLeft = isBeside ? side : x - width / 2
    const left = Math.min(Math.max(wantedLeft, EDGE), innerWidth - width - EDGE)
    const top = isBeside ? EDGE : above < EDGE ? y + ABOVE : above
    Object.assign(this.#host.style, { left: `${left}px`, top: `${top}px` })
  }

  /** @param {number | null} index of the mark */
  show(index) {
    const { digest } = this.#chart.stage.series ?? {}
    if (digest !== this.#digest) this.#centre = null
    this.#digest = digest
    this.#host.classList.toggle("is-empty", index === null)
    if (!this.#loupe) return
    if (index === null) return this.#loupe.clear()
    this.#centre = this.#floats ? index : loupeCentre(this.#centre, index)
    this.#loupe.draw(this.#centre, index)
  }
}
