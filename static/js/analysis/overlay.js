// @ts-check
// The overlay of a series: its table of detections is the legend, the switches and the way to the evidence.

import { createEvidence, MOST } from "../evidence.js";
import { actionOf, nameOf } from "../keys.js";
import { compareCells, first, meant } from "./overlay-lines.js";

const POLL = 3000

class Overlay {
  /** @param {HTMLElement} section @param {any} chart @param {HTMLElement} figure */
  constructor(section, chart, figure) {
    this.chart = chart
    this.figure = figure
    this.evidence = createEvidence(/** @type {HTMLElement} */ (figure.querySelector("[data-chart-evidence]")), chart)
    /** @type {Map<string, any[]>} */
    this.opened = new Map()
    this.bind(section)
    chart.options.onLine = (/** @type {string | null} */ id) => this.raiseRow(id)
    document.addEventListener("keydown", (event) => this.onKey(event))
    document.querySelector("[data-show-marks]")?.addEventListener("change", () => this.draw())
    chart.onDraw(() => this.words())
    this.poll()
  }

  /** Takes the table: at first, and again when a worker has answered. */
  bind(/** @type {HTMLElement} */ section) {
    this.section = section
    this.data = JSON.parse(document.getElementById("overlay-data")?.textContent ?? "{}")
    this.rows = /** @type {HTMLTableRowElement[]} */ ([...section.querySelectorAll("tr[data-line]")])
    this.shown = first((section.dataset.on ?? "").split(" ").filter(Boolean), this.remembered(), this.entries)
    section.addEventListener("change", (event) => this.onSwitch(event))
    section.addEventListener("click", (event) => this.onClick(event))
    for (const row of this.rows) {
      const raise = () => this.chart.highlight(row.dataset.line)
      const lower = () => this.chart.highlight(null)
      row.addEventListener("pointerenter", raise)
      row.addEventListener("pointerleave", lower)
      row.addEventListener("focusin", raise)
      row.addEventListener("focusout", lower)
    }
    this.apply(this.shown, { keep: false })
  }

  get entries() {
    return this.rows.map((row) => ({
      id: row.dataset.line ?? "", verdict: row.dataset.verdict ?? "", hasLine: this.data.lines.some((/** @type {any} */ line) => line.id === row.dataset.line),
    }))
  }

  get store() {
    return `plateau-lines-${this.data.study}`
  }

  /** Names that were switched off in this study. @returns {string[] | null} */
  remembered() {
    try {
      return JSON.parse(localStorage.getItem(this.store) ?? "null")
    } catch {
      return null // storage is off, or holds something else: everything is shown
    }
  }

  apply(/** @type {Set<string>} */ shown, { keep = true } = {}) {
    this.shown = shown
    for (const row of this.rows) {
      const box = this.boxOf(row)
      if (box && !box.disabled) box.checked = shown.has(row.dataset.line ?? "")
    }
    this.draw()
    if (keep) this.keep()
  }

  keep() {
    const hidden = this.entries.filter((one) => one.hasLine && !this.shown.has(one.id)).map((one) => one.id)
    try {
      localStorage.setItem(this.store, JSON.stringify(hidden))
    } catch {
      // Storage is off: the choice lasts as long as the page.
    }
  }

  draw() {
    const marks = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-show-marks]"))
    const lines = this.data.lines.filter((/** @type {any} */ line) => this.shown.has(line.id))
    this.chart.setLines([...lines, ...(marks?.checked ? this.data.marks : [])])
    const truth = this.data.lines.find((/** @type {any} */ line) => line.id === "truth")
    this.chart.tint(truth && this.shown.has("truth") ? truth.index : null)
  }

  /** What the lines say, behind what the chart's description says of the values. */
  words() {
    const place = this.figure.querySelector("#chart-description")
    if (!place || this.described === this.data.description) return
    this.plain ??= place.textContent ?? ""
    this.described = this.data.description
    place.textContent = `${this.plain} ${this.described}`
  }

  boxOf(/** @type {HTMLElement | undefined} */ row) {
    return /** @type {HTMLInputElement | null} */ (row?.querySelector("input[type=checkbox]") ?? null)
  }

  onSwitch(/** @type {Event} */ event) {
    const box = /** @type {HTMLInputElement} */ (event.target)
    const id = /** @type {HTMLElement | null} */ (box.closest("tr[data-line]"))?.dataset.line
    if (!id || box.type !== "checkbox") return
    const shown = new Set(this.shown)
    if (box.checked) shown.add(id)
    else shown.delete(id)
    this.apply(shown)
  }

  onClick(/** @type {Event} */ event) {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("button"))
    if (!button) return
    const { show, sort, evidence } = button.dataset
    if (show) this.apply(meant(show, this.entries))
    if (sort) this.sort(button, sort)
    if (evidence) this.toggleEvidence(evidence)
    if (button.dataset.copyLines !== undefined) this.prepareLink(button)
  }

  /** The address of this page with exactly these lines; page.js copies it. */
  prepareLink(/** @type {HTMLElement} */ button) {
    const address = new URL(location.href)
    address.searchParams.delete("on")
    const hidden = this.entries.some((one) => one.hasLine && !this.shown.has(one.id))
    if (hidden) for (const id of this.shown) address.searchParams.append("on", id)
    void copy(button, address.href)
  }

  sort(/** @type {HTMLElement} */ button, /** @type {string} */ column) {
    const head = /** @type {HTMLElement} */ (button.closest("th"))
    const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1
    for (const other of this.section.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort")
    head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending")
    const cell = (/** @type {HTMLElement} */ row) => {
      const text = row.dataset[column] ?? ""
      return column === "delta" && text ? String(Math.abs(Number(text))) : text
    }
    const movable = this.rows.filter((row) => row.dataset.fixed === undefined)
    const sorted = movable.map((row) => ({ row, below: row.nextElementSibling?.matches(".overlay-error") ? row.nextElementSibling : null }))
    sorted.sort((a, b) => compareCells(cell(a.row), cell(b.row), way))
    for (const { row, below } of sorted) row.parentElement?.append(row, ...(below ? [below] : []))
    this.rows = /** @type {HTMLTableRowElement[]} */ ([...this.section.querySelectorAll("tr[data-line]")])
  }

  async toggleEvidence(/** @type {string} */ name) {
    if (this.opened.has(name)) {
      this.opened.delete(name)
      return this.showEvidence()
    }
    const problem = /** @type {HTMLElement} */ (this.section.querySelector("[data-evidence-problem]"))
    problem.textContent = ""
    const row = this.rows.find((each) => each.dataset.line === name)
    row?.setAttribute("aria-busy", "true")
    try {
      const found = await getJson(`${this.section.dataset.evidenceUrl}?of=${encodeURIComponent(name)}`)
      const line = this.data.lines.find((/** @type {any} */ each) => each.id === name)
      const truth = this.data.lines.find((/** @type {any} */ each) => each.id === "truth")
      const lines = [line, truth].filter(Boolean)
      if (found.problem) problem.textContent = found.problem
      if (found.items.length) this.opened.set(name, found.items.map((/** @type {any} */ item) => ({ ...item, lines })))
    } catch (error) {
      problem.textContent = `The evidence did not come: ${/** @type {Error} */ (error).message}`
    }
    row?.removeAttribute("aria-busy")
    this.showEvidence()
  }

  showEvidence() {
    const items = [...this.opened.values()].flat()
    // The newest explanation is wanted: an older one makes room for it.
    while (items.filter((item) => item.kind !== "figures" && item.kind !== "levels").length > MOST && this.opened.size > 1) {
      this.opened.delete(/** @type {string} */ (this.opened.keys().next().value))
      items.splice(0, items.length, ...[...this.opened.values()].flat())
    }
    this.evidence.show(items)
    if (this.chart.stage.drawn) this.evidence.draw(this.chart.stage)
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.section.querySelectorAll("[data-evidence]")))
      button.setAttribute("aria-pressed", String(this.opened.has(button.dataset.evidence ?? "")))
  }

  raiseRow(/** @type {string | null} */ id) {
    for (const row of this.rows) row.classList.toggle("is-raised", row.dataset.line === id)
  }

  /** The row that a key means: the one with the focus, else the first method. */
  get current() {
    const focused = this.rows.find((row) => row.contains(document.activeElement) || row.matches(":hover"))
    return focused ?? this.rows.find((row) => row.dataset.fixed === undefined)
  }

  onKey(/** @type {KeyboardEvent} */ event) {
    const target = /** @type {HTMLElement} */ (event.target)
    if (event.defaultPrevented || target.matches("input:not([type=checkbox]), select, textarea") || document.querySelector("dialog[open]")) return
    if (document.documentElement.dataset.singleKeys === "off") return
    const action = actionOf("series", nameOf(event)) ?? ""
    if (this.act(action)) event.preventDefault()
  }

  act(/** @type {string} */ action) {
    const number = /^line-(\d)$/.exec(action)
    if (number) return this.flip(this.rows[Number(number[1]) - 1])
    if (action === "all-lines") this.apply(meant("all", this.entries))
    else if (action === "only-line") this.apply(new Set([this.current?.dataset.line ?? ""]))
    else if (action === "evidence" && this.current) void this.toggleEvidence(this.current.dataset.line ?? "")
    else return false
    return true
  }

  flip(/** @type {HTMLElement | undefined} */ row) {
    const box = this.boxOf(row)
    if (!box || box.disabled) return Boolean(row)
    box.click()
    return true
  }

  /** While workers are at it, the table is read again; what was opened and chosen stays. */
  poll() {
    if (!this.data.pending) return
    setTimeout(async () => {
      if (!document.hidden) await this.refresh()
      this.poll()
    }, POLL)
  }

  async refresh() {
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null)
    if (!answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const [data, section] = [page.getElementById("overlay-data"), /** @type {HTMLElement | null} */ (page.querySelector("[data-detections]"))]
    const old = document.getElementById("overlay-data")
    if (!data || !section || !old || data.textContent === old.textContent) return
    old.textContent = data.textContent
    this.section.replaceWith(section)
    this.bind(section)
  }
}

async function getJson(/** @type {string} */ address) {
  const answer = await fetch(address, { credentials: "same-origin", headers: { Accept: "application/json" } })
  if (!answer.ok && answer.status !== 422) throw new Error(answer.status === 404 ? "it is not there for you" : `the server answered ${answer.status}`)
  return answer.json()
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

/** Keys that the page has even where nothing may be shown: the list, the yardstick. */
function onPageKey(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLElement} */ (event.target)
  if (event.defaultPrevented || target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return
  if (document.documentElement.dataset.singleKeys === "off") return
  const action = actionOf("series", nameOf(event))
  const link = { "previous-listed": "[data-listed=previous]", "next-listed": "[data-listed=next]" }[action ?? ""]
  if (link) /** @type {HTMLElement | null} */ (document.querySelector(link))?.click()
  if (action !== "yardstick") return
  const select = /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-yardstick]"))
  select?.focus()
  event.preventDefault()
}

if (globalThis.document) {
  document.addEventListener("keydown", onPageKey)
  document.addEventListener("plateau:chart", (event) => {
    const section = /** @type {HTMLElement | null} */ (document.querySelector("[data-detections]"))
    const chart = /** @type {CustomEvent} */ (event).detail
    if (!section) return
    // The first drawing needs the values; lines wait for it, so that one drawing shows both.
    const make = () => new Overlay(section, chart, /** @type {HTMLElement} */ (event.target))
    const started = chart.onDraw(() => {
      queueMicrotask(() => started?.())
      make()
    })
  })
}
