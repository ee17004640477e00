// The overlay of a series: joins the table of detections, the chart and the keys of the page.

import { Detections } from "../shared/detections.js";
import { onKeys } from "../shared/keyboard.js";
import { lineChips } from "./line-chips.js";

class Overlay {
  constructor(section, chart, figure) {
    this.detections = new Detections(figure, chart)
    this.plain = this.detections.description?.textContent ?? ""
    this.bind(section)
    const marks = document.querySelector("[data-show-marks]")
    marks?.addEventListener("change", () => this.legend?.draw())
  }

  get legend() {
    return this.detections.legend
  }

  /** Takes the table: at first, and again when workers have answered. */
  bind(section) {
    const chips = document.querySelector("[data-line-chips]")
    this.detections.take(section, this.plain)
    const show = () => chips && lineChips(chips, this.legend)
    section.addEventListener("plateau:lines", show)
    show()
    section.addEventListener("click", ({ target }) => {
      const button = target.closest("button")
      if (button) this.detections.act(button)
    })
  }

  /** Does what a key means; false when it means nothing here. */
  act(action) {
    const { legend } = this
    if (!legend) return false
    const number = /^line-(\d)$/.exec(action)
    if (number) return legend.flip(legend.rows[Number(number[1]) - 1])
    const id = legend.current?.dataset.line ?? ""
    if (action === "all-lines") legend.showMeant("all")
    else if (action === "only-line") legend.show(new Set([id]))
    else if (action === "evidence" && id) void this.detections.explaining.toggle(id, legend)
    else return false
    return true
  }
}

/** Does what a key means, whether or not there is anything to lay over the series. */
function press(action) {
  const select = action === "yardstick" ? document.querySelector("[data-yardstick]") : null
  select?.focus()
  return Boolean(select)
}

/** @type {Overlay | null} */
let overlay = null

const sectionNow = () => document.querySelector("[data-detections]")

if (globalThis.document) {
  onKeys("series", (action) => overlay?.act(action) || press(action))
  document.addEventListener("plateau:chart", (event) => {
    const chart = event.detail
    // Values come first: taking a series forgets the lines of the one before.
    const stop = chart.onDraw(() => {
      const section = sectionNow()
      if (section && !overlay) overlay = new Overlay(section, chart, event.target)
      queueMicrotask(() => stop())
    })
  })
  // While workers are at it the table asks for itself again (hx-trigger in the template).
  document.addEventListener("htmx:after:swap", () => {
    const section = sectionNow()
    if (overlay && section && section !== overlay.legend?.section) overlay.bind(section)
  })
}
