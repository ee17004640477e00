// The table of detections as the chart's legend: switches, raising, order, what is remembered.

import { compareCells, first, meant } from "./overlay-lines.js";

/** Names that were switched off in this study before. @returns {string[] | null} */
function remembered(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null")
  } catch {
    return null // storage is off, or holds something else: everything is shown
  }
}

function remember(place, hidden) {
  try {
    localStorage.setItem(place, JSON.stringify(hidden))
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}

export class Legend {
  /** @param {any} data lines, marks and words of the server */
  constructor(section, chart, data) {
    this.section = section
    this.chart = chart
    this.data = data
    this.place = `plateau-lines-${data.study}`
    this.rows = [...section.querySelectorAll("tr[data-line]")]
    const asked = (section.dataset.on ?? "").split(" ").filter(Boolean)
    this.shown = first(asked, remembered(this.place), this.entries)
    section.addEventListener("change", (event) => this.onSwitch(event))
    for (const row of this.rows) this.raises(row)
    this.show(this.shown, { keep: false })
  }

  raises(row) {
    const raise = () => this.chart.highlight(row.dataset.line)
    const lower = () => this.chart.highlight(null)
    row.addEventListener("pointerenter", raise)
    row.addEventListener("pointerleave", lower)
    row.addEventListener("focusin", raise)
    row.addEventListener("focusout", lower)
  }

  get entries() {
    return this.rows.map(({ dataset: { line: id = "", verdict = "" } }) =>
      ({ id, verdict, hasLine: Boolean(this.line(id)) }))
  }

  line(id) {
    return this.data.lines.find((line) => line.id === id)
  }

  boxOf(row) {
    return row?.querySelector("input[type=checkbox]") ?? null
  }

  show(/** @type {Set<string>} */ shown, { keep = true } = {}) {
    this.shown = shown
    for (const row of this.rows) {
      const box = this.boxOf(row)
      if (box && !box.disabled) box.checked = shown.has(row.dataset.line ?? "")
    }
    this.draw()
    const hidden = this.entries.filter(({ hasLine, id }) => hasLine && !shown.has(id))
    if (keep) remember(this.place, hidden.map(({ id }) => id))
  }

  showMeant(word) {
    this.show(meant(word, this.entries))
  }

  draw() {
    const marks = document.querySelector("[data-show-marks]")
    const lines = this.data.lines.filter((line) => this.shown.has(line.id))
    this.chart.setLines([...lines, ...(marks?.checked ? this.data.marks : [])])
    this.chart.tint(this.shown.has("truth") ? (this.line("truth")?.index ?? null) : null)
  }

  onSwitch(event) {
    const box = event.target
    const id = box.closest("tr[data-line]")?.dataset.line
    if (!id || box.type !== "checkbox") return
    const shown = new Set(this.shown)
    if (box.checked) shown.add(id)
    else shown.delete(id)
    this.show(shown)
  }

  /** Switches a row's line; false where there is no such row. */
  flip(row) {
    const box = this.boxOf(row)
    if (box && !box.disabled) box.click()
    return Boolean(row)
  }

  raiseRow(id) {
    for (const row of this.rows) row.classList.toggle("is-raised", row.dataset.line === id)
  }

  /** The row that a key means: the one with the focus or the pointer, else the first method. */
  get current() {
    return this.rows.find((row) => row.contains(document.activeElement))
      ?? this.rows.find((row) => row.matches(":hover"))
      ?? this.rows.find((row) => row.dataset.fixed === undefined)
  }

  sort(button, column) {
    const head = button.closest("th")
    const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1
    for (const other of this.section.querySelectorAll("th[aria-sort]"))
      other.removeAttribute("aria-sort")
    head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending")
    const cell = (row) => {
      const text = row.dataset[column] ?? ""
      return column === "delta" && text ? String(Math.abs(Number(text))) : text
    }
    const isError = (row) => row?.matches(".overlay-error")
    const movable = this.rows.filter((row) => row.dataset.fixed === undefined)
    const sorted = movable.map((row) => ({ row, below: row.nextElementSibling }))
    sorted.sort((a, b) => compareCells(cell(a.row), cell(b.row), way))
    for (const { row, below } of sorted)
      row.parentElement?.append(row, ...(isError(below) ? [below] : []))
    this.rows = [...this.section.querySelectorAll("tr[data-line]")]
  }

  /** The address of this page with exactly these lines. */
  get address() {
    const address = new URL(location.href)
    address.searchParams.delete("on")
    const hidden = this.entries.some((one) => one.hasLine && !this.shown.has(one.id))
    if (hidden) for (const id of this.shown) address.searchParams.append("on", id)
    return address.href
  }
}
