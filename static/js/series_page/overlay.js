// @ts-check
// The overlay of a series: binds the table of detections, the chart and the keys of the page together.

import { actionOf, nameOf } from "../keys.js";
import { Explaining } from "./explaining.js";
import { Legend } from "../comparison/legend.js";

class Overlay {
  /** @param {HTMLElement} section @param {any} chart @param {HTMLElement} figure */
  constructor(section, chart, figure) {
    this.chart = chart
    this.description = figure.querySelector("#chart-description")
    this.plain = this.description?.textContent ?? ""
    this.explaining = new Explaining(/** @type {HTMLElement} */ (figure.querySelector("[data-chart-evidence]")), chart)
    this.bind(section)
    chart.options.onLine = (/** @type {string | null} */ id) => this.legend.raiseRow(id)
    document.querySelector("[data-show-marks]")?.addEventListener("change", () => this.legend.draw())
  }

  /** Takes the table: at first, and again when workers have answered. */
  bind(/** @type {HTMLElement} */ section) {
    const data = JSON.parse(section.querySelector("#overlay-data")?.textContent ?? "{}")
    this.legend = new Legend(section, this.chart, data)
    section.addEventListener("click", (event) => this.onClick(event))
    this.explaining.reflect(section)
    if (this.description) this.description.textContent = `${this.plain} ${data.description}`
  }

  onClick(/** @type {Event} */ event) {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("button"))
    const { show, sort, evidence, copyLines } = button?.dataset ?? {}
    if (show) this.legend.showMeant(show)
    if (sort) this.legend.sort(/** @type {HTMLElement} */ (button), sort)
    if (evidence) void this.explaining.toggle(evidence, this.legend)
    if (copyLines !== undefined) void copy(/** @type {HTMLElement} */ (button), this.legend.address)
  }

  /** Does what a key means; false when it means nothing here. */
  act(/** @type {string} */ action) {
    const { legend } = this
    const number = /^line-(\d)$/.exec(action)
    if (number) return legend.flip(legend.rows[Number(number[1]) - 1])
    const id = legend.current?.dataset.line ?? ""
    if (action === "all-lines") legend.showMeant("all")
    else if (action === "only-line") legend.show(new Set([id]))
    else if (action === "evidence" && id) void this.explaining.toggle(id, legend)
    else return false
    return true
  }
}

async function copy(/** @type {HTMLElement} */ button, /** @type {string} */ text) {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = "Copied"
  } catch {
    // Plain http has no clipboard: the address bar holds the link instead.
    history.replaceState(null, "", text)
    button.textContent = "In the address bar"
  }
  setTimeout(() => (button.textContent = label), 2000)
}

/** What a key presses, whether or not there is anything to lay over the series. @type {Record<string, string>} */
const PRESSED = { "previous-listed": "[data-listed=previous]", "next-listed": "[data-listed=next]" }

function press(/** @type {string} */ action) {
  const found = /** @type {HTMLElement | null} */ (PRESSED[action] ? document.querySelector(PRESSED[action]) : null)
  found?.click()
  const select = action === "yardstick" ? /** @type {HTMLElement | null} */ (document.querySelector("[data-yardstick]")) : null
  select?.focus()
  return Boolean(found ?? select)
}

/** @type {Overlay | null} */
let overlay = null

function onKey(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLElement} */ (event.target)
  if (event.defaultPrevented || target.matches("input:not([type=checkbox]), select, textarea") || document.querySelector("dialog[open]")) return
  if (document.documentElement.dataset.singleKeys === "off") return
  const action = actionOf("series", nameOf(event)) ?? ""
  if (overlay?.act(action) || press(action)) event.preventDefault()
}

const sectionNow = () => /** @type {HTMLElement | null} */ (document.querySelector("[data-detections]"))

if (globalThis.document) {
  document.addEventListener("keydown", onKey)
  document.addEventListener("plateau:chart", (event) => {
    const chart = /** @type {CustomEvent} */ (event).detail
    // Values come first: taking a series forgets the lines of the one before.
    const stop = chart.onDraw(() => {
      const section = sectionNow()
      if (section && !overlay) overlay = new Overlay(section, chart, /** @type {HTMLElement} */ (event.target))
      queueMicrotask(() => stop())
    })
  })
  // While workers are at it the table asks for itself again (hx-trigger in the template).
  document.addEventListener("htmx:after:swap", () => {
    const section = sectionNow()
    if (overlay && section && section !== overlay.legend?.section) overlay.bind(section)
  })
}
