// The iterations around a mark, eight pixels each, in the range that shows them.

import { level, round, svg, upright } from "../shared/elements.js";
import { toIteration, toPixel } from "./scale.js";
import { linear } from "./ticks.js";
import { formatWhole } from "../shared/format.js";
import { cutSentence } from "./readout.js";
import { cutOff, robust } from "./range.js";
import { triangles } from "./scene.js";
import { EACH } from "./touch-mark.js";

const AROUND = 40
const LEAST = 7 // on either side: fewer than 15 values have no running median
const LEFT = 40
const TOP = 8
const HEIGHT = 128

/** First and last iteration of the loupe: as many as have eight pixels, within the series. */
export function span(centre, n, width) {
  const half = Math.max(LEAST, Math.min(AROUND, Math.floor((width / EACH - 1) / 2)))
  const firstIndex = Math.min(Math.max(centre - half, 0), Math.max(0, n - 1 - 2 * half))
  return { first: firstIndex, last: Math.min(n - 1, firstIndex + 2 * half) }
}

/** A line that keeps each value for the width of its iteration. */
export function steps(values, firstIndex, px, py) {
  return values.map((value, offset) =>
    `${offset ? "V" : `M${round(px(firstIndex - 0.5))} `}${round(py(value))}`
    + `H${round(px(firstIndex + offset + 0.5))}`)
    .join("")
}

/** A dot of three pixels. */
const dot = (x, y) => `M${round(x) - 1.5} ${round(y)}a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0`

export class Loupe {
  #asking = false

  /** @param {HTMLElement} host @param {import("./chart.js").Chart} chart
   * @param {{onPick?: (index: number) => void, words?: HTMLElement | null}} how */
  constructor(host, chart, { onPick, words = null } = {}) {
    this.chart = chart
    this.words = words
    this.drawing = svg("svg", { class: "loupe", "aria-hidden": "true" })
    /** @type {[number, number]} */
    this.range = [0, 1]
    host.append(this.drawing)
    this.drawing.addEventListener("click", (event) => {
      const box = this.drawing.getBoundingClientRect()
      const plot = { left: box.left + LEFT, width: box.width - LEFT, range: this.range, n: chart.n }
      onPick?.(toIteration(event.clientX, plot))
    })
  }

  /** Draws around an iteration, `mark` the own one or null; values that are missing come later. */
  draw(centre, mark = centre) {
    this.latest = { centre, mark }
    const { source } = this.chart.stage
    if (!source) return this.clear()
    const width = Math.max(80, this.drawing.clientWidth - LEFT)
    const { first, last } = span(centre, source.n, width)
    this.range = [first - 0.5, last + 0.5]
    const right = LEFT + width
    const px = (index) => LEFT + toPixel(index, { width, range: this.range })
    const values = Array.from({ length: last - first + 1 }, (_, i) => source.at(first + i))
    const isThere = !values.includes(undefined)
    this.say(`iterations ${formatWhole(first)} to ${formatWhole(last)}, own y-range`)
    this.drawing.replaceChildren(
      svg("rect", { class: "loupe-paper", x: LEFT, y: TOP, width, height: HEIGHT }),
      ...below(first, last, px),
      ...marked(mark, first, last, px, right),
      ...(isThere ? this.drawn(values, first, px, width) : []),
      level("axis", TOP + HEIGHT, [LEFT, right]),
    )
    if (!isThere) void this.ask(source, first, last)
  }

  /** Grid, figures, line and dots; what the range cuts off is counted and marked. */
  drawn(values, firstIndex, px, width) {
    const { scale, unit: base, hideValues } = this.chart.stage.series
    const [lo, hi] = robust(values)
    const py = (value) => TOP + HEIGHT * (1 - (value - lo) / (hi - lo))
    const ticks = linear(lo * scale, hi * scale, HEIGHT, base)
    const cut = cutOff(values.map((_, offset) => firstIndex + offset), values, [lo, hi])
    const sentence = cutSentence(cut, { scale, unit: base, hideValues, exact: true, size: "short" })
    const unit = hideValues || !ticks.unit ? "" : ` (${ticks.unit})`
    this.say([`${this.words?.textContent}${unit}`, sentence].filter(Boolean).join(", "))
    const clip = { x: LEFT, y: TOP, width, height: HEIGHT, overflow: "hidden",
      viewBox: `${LEFT} ${TOP} ${width} ${HEIGHT}` }
    return [
      ...ticks.values.flatMap((value, index) => {
        const y = py(value / scale)
        return [level("grid", y, [LEFT, LEFT + width]),
          svg("text", { x: LEFT - 6, y: round(y) + 4, "text-anchor": "end" },
            hideValues ? "" : ticks.texts[index])]
      }),
      svg("svg", clip, svg("path", { class: "loupe-line", d: steps(values, firstIndex, px, py) }),
        svg("path", { class: "loupe-dots",
          d: values.map((value, offset) => dot(px(firstIndex + offset), py(value))).join("") })),
      svg("path", { class: "chart-cut", d: triangles(cut.above.map(px), TOP, 1)
        + triangles(cut.below.map(px), TOP + HEIGHT, -1) }),
    ]
  }

  /** Asks for missing values, one question at a time, and draws what is looked at by then. */
  async ask(source, firstIndex, lastIndex) {
    if (this.#asking) return
    this.#asking = true
    const problem = await source.near(firstIndex, lastIndex + 1).catch((error) => error)
    this.#asking = false
    if (problem) return this.chart.words.complain(problem)
    if (this.latest) this.draw(this.latest.centre, this.latest.mark)
  }

  say(text) {
    if (this.words) this.words.textContent = text
  }

  clear() {
    this.latest = null
    this.drawing.replaceChildren()
    this.say("")
  }
}

/** Ticks every twenty iterations, every ten where fewer are shown. */
function below(firstIndex, lastIndex, px) {
  const step = lastIndex - firstIndex > 50 ? 20 : 10
  const start = Math.ceil(firstIndex / step) * step
  const length = Math.max(0, Math.floor((lastIndex - start) / step) + 1)
  const ticks = Array.from({ length }, (_, index) => start + index * step)
  return ticks.flatMap((index) => {
    const x = round(px(index))
    return [upright("axis", x, [TOP + HEIGHT, TOP + HEIGHT + 4]),
      svg("text", { x, y: TOP + HEIGHT + 18, "text-anchor": "middle" }, formatWhole(index))]
  })
}

function marked(mark, firstIndex, lastIndex, px, rightEdge) {
  if (mark === null || mark > lastIndex) return []
  const x = round(Math.max(px(mark), px(firstIndex - 0.5)))
  const tint = svg("rect", { class: "chart-tint", x, y: TOP, width: rightEdge - x, height: HEIGHT })
  if (mark < firstIndex) return [tint]
  return [tint, upright("loupe-mark", x, [TOP, TOP + HEIGHT]),
    svg("path", { class: "loupe-handle", d: `M${x - 5} ${TOP - 6}h10l-5 7z` })]
}
