// @ts-check
// The words around a chart: readout, what is cut off, precision, what is spoken, what went wrong.

import { speaker } from "../announce.js";
import { html } from "./elements.js";
import { cutSentence, readout, spoken } from "./readout.js";
import { precision } from "./scale.js";

export class Words {
  constructor(/** @type {HTMLElement} */ root) {
    const find = (/** @type {string} */ name) => /** @type {HTMLElement | null} */ (root.querySelector(`[data-chart-${name}]`))
    this.root = root
    this.readout = find("readout")
    this.cut = find("cut")
    this.precision = find("precision")
    this.problem = find("problem")
    const live = html("div", { class: "visually-hidden", "aria-live": "polite" })
    root.append(live)
    this.speak = speaker(live)
  }

  /** The place that is told: pointer, cursor, own mark, ground truth. */
  write(/** @type {import("./stage.js").Stage} */ stage, { aloud = false } = {}) {
    if (!stage.source || !stage.plot) return
    const { unit, scale, median, hideValues } = stage.series
    const index = stage.hover ?? stage.cursor ?? stage.marker.index ?? stage.tint
    const raw = index === null ? undefined : stage.source.at(index)
    const value = raw === undefined ? undefined : raw * scale
    const parts = readout({ index, value, n: stage.source.n, unit, median, hideValues })
    this.readout?.replaceChildren(...parts.map((text, at) => html("span", { class: at < 2 ? "chart-at" : null }, text)))
    this.writeCut(stage)
    if (this.precision) this.precision.textContent = `±${precision({ width: stage.plot.width, range: stage.range })} iteration per pixel`
    if (aloud && index !== null) this.speak(spoken(index, parts, stage.marker.index))
  }

  writeCut(/** @type {import("./stage.js").Stage} */ stage) {
    if (!this.cut || !stage.cut || !stage.points) return
    const { unit, scale, hideValues } = stage.series
    const told = { scale, unit, hideValues, exact: stage.points.exact && stage.points.x.length >= Math.min(stage.source?.n ?? 0, stage.window[1] - stage.window[0]) }
    const long = cutSentence(stage.cut, { ...told, size: "long" })
    if (this.cut.title === long && this.cut.childNodes.length) return
    this.cut.title = long
    const sign = stage.cut.above.length ? "▲" : "▼"
    const cut = stage.cut
    const sizes = /** @type {const} */ (["long", "middle", "short"]).map((size) => html("span", { class: `chart-cut-${size}` }, cutSentence(cut, { ...told, size })))
    this.cut.replaceChildren(...(long ? [html("span", { "aria-hidden": "true" }, sign), ...sizes] : []))
  }

  /** Says what went wrong, where the chart would be. An aborted request is nothing wrong. */
  complain(/** @type {Error} */ error) {
    if (error.name === "AbortError") return
    if (!this.problem) throw error
    this.problem.textContent = error.message
    this.problem.hidden = false
  }
}
