// The iterations around a mark, eight pixels each and on their own y-range.

import { round, svg } from "../shared/elements.js";
import { toIteration, toPixel } from "./scale.js";
import { linear } from "./ticks.js";
import { whole } from "../shared/format.js";
import { padded } from "./range.js";

const AROUND = 40
const EACH = 8
const LEFT = 40
const TOP = 8
const HEIGHT = 128

/** First and last iteration of the loupe: as many as have eight pixels, within the series. */
export function span(centre, n, width) {
  const half = Math.max(5, Math.min(AROUND, Math.floor((width / EACH - 1) / 2)))
  const first = Math.min(Math.max(centre - half, 0), Math.max(0, n - 1 - 2 * half))
  return { first, last: Math.min(n - 1, first + 2 * half) }
}

/** A line that keeps each value for the width of its iteration. */
export function steps(values, first, px, py) {
  return values.map((value, at) =>
    `${at ? "V" : `M${round(px(first - 0.5))} `}${round(py(value))}H${round(px(first + at + 0.5))}`)
    .join("")
}

export class Loupe {
  constructor(host, chart, { onPick, words = null } = {}) {
    this.chart = chart
    this.words = words
    this.drawing = svg("svg", { class: "loupe", "aria-hidden": "true" })
    this.range = /** @type {[number, number]} */ ([0, 1])
    host.append(this.drawing)
    this.drawing.addEventListener("click", (event) => {
      const box = this.drawing.getBoundingClientRect()
      const plot = { left: box.left + LEFT, width: box.width - LEFT, range: this.range, n: chart.n }
      onPick?.(toIteration(event.clientX, plot))
    })
  }

  /** Draws around an iteration, `mark` the own one or null; nothing where values are missing. */
  draw(centre, mark = centre) {
    const { source, series } = this.chart.stage
    const width = Math.max(80, this.drawing.clientWidth - LEFT)
    if (!source) return this.clear()
    const { first, last } = span(centre, source.n, width)
    const values = Array.from({ length: last - first + 1 }, (_, at) => source.at(first + at))
    if (values.some((value) => value === undefined)) return this.clear()
    this.range = [first - 0.5, last + 0.5]
    const [lo, hi] = padded(Math.min(...values), Math.max(...values))
    const px = (index) => LEFT + toPixel(index, { width, range: this.range })
    const py = (value) => TOP + HEIGHT * (1 - (value - lo) / (hi - lo))
    const ticks = linear(lo * series.scale, hi * series.scale, HEIGHT, series.unit)
    const text = (at) => (series.hideValues ? "" : ticks.texts[at])
    const dot = (value, at) =>
      `M${round(px(first + at)) - 1.5} ${round(py(value))}a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0`
    const right = LEFT + width
    this.drawing.replaceChildren(
      svg("rect", { class: "loupe-paper", x: LEFT, y: TOP, width, height: HEIGHT }),
      ...ticks.values.flatMap((value, at) => {
        const y = round(py(value / series.scale))
        return [svg("line", { class: "grid", x1: LEFT, x2: right, y1: y, y2: y }),
          svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text(at))]
      }),
      ...below(first, last, px),
      ...marked(mark, first, last, px, right),
      svg("path", { class: "loupe-line", d: steps(values, first, px, py) }),
      svg("path", { class: "loupe-dots", d: values.map(dot).join("") }),
      svg("line", { class: "axis", x1: LEFT, x2: right, y1: TOP + HEIGHT, y2: TOP + HEIGHT }),
    )
    const words = `iterations ${whole(first)} to ${whole(last)}, own y-range`
    if (this.words) this.words.textContent = words
  }

  clear() {
    this.drawing.replaceChildren()
    if (this.words) this.words.textContent = ""
  }
}

/** Ticks every twenty iterations, every ten where fewer are shown. */
function below(first, last, /** @type {(index: number) => number} */ px) {
  const step = last - first > 50 ? 20 : 10
  const start = Math.ceil(first / step) * step
  const length = Math.max(0, Math.floor((last - start) / step) + 1)
  const found = Array.from({ length }, (_, at) => start + at * step)
  return found.flatMap((index) => {
    const x = round(px(index))
    return [svg("line", { class: "axis", x1: x, x2: x, y1: TOP + HEIGHT, y2: TOP + HEIGHT + 4 }),
      svg("text", { x, y: TOP + HEIGHT + 18, "text-anchor": "middle" }, whole(index))]
  })
}

function marked(mark, first, last, /** @type {(index: number) => number} */ px, right) {
  if (mark === null || mark > last) return []
  const x = round(Math.max(px(mark), px(first - 0.5)))
  const tint = svg("rect", { class: "chart-tint", x, y: TOP, width: right - x, height: HEIGHT })
  if (mark < first) return [tint]
  return [tint, svg("line", { class: "loupe-mark", x1: x, x2: x, y1: TOP, y2: TOP + HEIGHT }),
    svg("path", { class: "loupe-handle", d: `M${x - 5} ${TOP - 6}h10l-5 7z` })]
}
