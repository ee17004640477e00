// The words around a chart: readout, what is cut off, precision, what is spoken, what went wrong.

import { announcer } from "../shared/announcer.js";
import { html } from "../shared/elements.js";
import { cutSentence, flatSentence, readout, spoken } from "./readout.js";
import { precision } from "./scale.js";

export class Words {
  constructor(root) {
    const find = (name) => root.querySelector(`[data-chart-${name}]`)
    this.root = root
    this.readout = find("readout")
    this.cut = find("cut")
    this.flat = find("flat")
    this.precision = find("precision")
    this.problem = find("problem")
    const live = html("div", { class: "visually-hidden", "aria-live": "polite" })
    root.append(live)
    this.speak = announcer(live)
  }

  /** The place that is told: pointer, cursor, own mark, ground truth. */
  write(stage, { aloud = false } = {}) {
    if (!stage.source || !stage.plot) return
    const { unit, scale, median, hideValues } = stage.series
    const index = stage.hover ?? stage.cursor ?? stage.marker.index ?? stage.tint
    const raw = index === null ? undefined : stage.source.at(index)
    const value = raw === undefined ? undefined : raw * scale
    const parts = readout({ index, value, n: stage.source.n, unit, median, hideValues })
    this.readout?.replaceChildren(...parts.map((text, index) =>
      html("span", { class: index < 2 ? "chart-at" : null }, text)))
    this.writeCut(stage)
    this.writeFlat(stage.flat)
    const exactly = precision({ width: stage.plot.width, range: stage.range })
    const click = exactly ? `a click is exact to ±${exactly}` : ""
    if (this.precision) this.precision.textContent = click
    if (aloud && index !== null) this.speak(spoken(index, parts, stage.marker.index))
  }

  writeCut(stage) {
    if (!this.cut || !stage.cut || !stage.points) return
    const { unit, scale, hideValues } = stage.series
    const shownCount = Math.min(stage.source?.n ?? 0, stage.window[1] - stage.window[0])
    const exact = stage.points.exact && stage.points.x.length >= shownCount
    const facts = { scale, unit, hideValues, exact }
    const long = cutSentence(stage.cut, { ...facts, size: "long" })
    if (this.cut.title === long && this.cut.childNodes.length) return
    this.cut.title = long
    const sign = stage.cut.above.length ? "▲" : "▼"
    const cut = stage.cut
    const sizes = ["long", "middle", "short"].map((size) =>
      html("span", { class: `chart-cut-${size}` }, cutSentence(cut, { ...facts, size })))
    const parts = [html("span", { "aria-hidden": "true" }, sign), ...sizes]
    this.cut.replaceChildren(...(long ? parts : []))
  }

  /** Says that the plateau is hardly seen; the button beside it shows it. */
  writeFlat(/** @type {number | null} */ pixels) {
    if (!this.flat) return
    if (pixels === null && this.flat.matches?.(":focus-within"))
      // The button that was pressed goes: keys go on in the chart, not at the top of the page.
      this.root.querySelector(".chart-stage:not(.is-hidden) .chart-surface")?.focus()
    this.flat.hidden = pixels === null
    if (pixels !== null) this.flat.firstElementChild.textContent = flatSentence(pixels)
  }

  /** Says what went wrong, where the chart would be. An aborted request is nothing wrong. */
  complain(error) {
    if (error.name === "AbortError") return
    if (!this.problem) throw error
    this.problem.textContent = error.message
    this.problem.hidden = false
  }
}
