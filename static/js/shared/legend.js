// The table of detections as the chart's legend: switches, raising, order, what is remembered.

import { sortRows } from "./answer-table.js";
import { keep, keptValue } from "./kept.js";
import { reducedLines, linesAtFirst, linesNamed, mostLines, withLine } from "./overlay-lines.js";

export class Legend {
  /** @param {any} data lines, marks and words of the server */
  constructor(section, chart, data) {
    this.section = section
    this.chart = chart
    this.data = data
    this.place = `plateau-shown-${data.study}`
    this.rows = [...section.querySelectorAll("tr[data-line]")]
    const namedIds = (section.dataset.on ?? "").split(" ").filter(Boolean)
    this.most = mostLines(matchMedia("(width < 640px)").matches)
    const usual = reducedLines(data.first ?? [], this.most)
    const begin = (ids, keptIds) => linesAtFirst(ids, keptIds, usual, this.entries)
    /** Where nobody has chosen others. */
    this.usual = begin([], null)
    this.shown = begin(namedIds, keptValue(this.place))
    section.addEventListener("change", (event) => this.onSwitch(event))
    for (const row of this.rows) this.raises(row)
    this.show(this.shown, { isKept: false })
  }

  raises(row) {
    const { line: id } = row.dataset
    const raise = () => (this.shown.has(id) ? this.chart.highlight(id) : this.answer(id, false))
    const lower = () => {
      this.chart.highlight(null)
      this.answer(null, false)
    }
    row.addEventListener("pointerenter", raise)
    row.addEventListener("pointerleave", lower)
    row.addEventListener("focusin", raise)
    row.addEventListener("focusout", lower)
  }

  get entries() {
    return this.rows.map(({ dataset: { line: id = "", verdict = "" } }) =>
      ({ id, verdict, hasLine: (this.line(id)?.index ?? -1) >= 0 }))
  }

  line(id) {
    return this.data.lines.find((line) => line.id === id)
  }

  /** Lines of methods that are shown, the one that was chosen first first. */
  get methods() {
    return [...this.shown].filter((id) => id !== "truth").map((id) => this.line(id)).filter(Boolean)
  }

  boxOf(row) {
    return row?.querySelector("input[type=checkbox]") ?? null
  }

  show(ids, { isKept = true } = {}) {
    this.shown = ids
    for (const row of this.rows) {
      const box = this.boxOf(row)
      if (box && !box.disabled) box.checked = ids.has(row.dataset.line ?? "")
    }
    for (const code of this.section.querySelectorAll("[data-code]"))
      code.classList.toggle("is-shown", ids.has(code.dataset.code))
    this.draw()
    if (isKept) keep(this.place, [...ids])
    this.section.dispatchEvent(new CustomEvent("plateau:lines", { bubbles: true }))
  }

  /** What agrees is another choice on every series: it is not remembered for the next. */
  showMeant(word) {
    this.show(linesNamed(word, this.entries), { isKept: word === "none" })
    if (word === "all") keep(this.place, "all")
  }

  /** An answer's symbol was pointed at or pressed: its line is shown for now, or kept. */
  answer(id, isKept) {
    const line = id === null ? null : this.line(id)
    this.raiseRow(id)
    if (isKept && line && line.index >= 0) this.show(withLine(this.shown, id, this.most))
    else this.chart.peek(line && { ...line, words: this.words(line) })
  }

  words({ id, code, title, index }) {
    const delta = this.rows.find((row) => row.dataset.line === id)?.dataset.delta
    const shift = delta ? ` · ${Number(delta) > 0 ? "+" : ""}${delta}` : ""
    const where = index === null ? "no answer" : index < 0 ? "never steady" : `${index}${shift}`
    return `${code} ${title} · ${where}`
  }

  draw() {
    const box = document.querySelector("input[data-show-marks]")
    const isShown = (line) => this.shown.has(line.id)
    const { lines: allLines, tolerance = 0, areMarksShown = box?.checked } = this.data
    const lines = allLines.filter(isShown)
    const truth = this.line("truth")?.index ?? null
    const answers = allLines.filter((line) => line.id !== "truth" && !isShown(line))
    this.chart.setAnswers({ answers, truth, tolerance })
    this.chart.setLines([...lines, ...(areMarksShown ? this.data.marks : [])])
    this.chart.tint(this.shown.has("truth") ? (this.line("truth")?.index ?? null) : null)
  }

  onSwitch(event) {
    const box = event.target
    const id = box.closest("tr[data-line]")?.dataset.line
    if (!id || box.type !== "checkbox") return
    const shownIds = new Set(this.shown)
    if (box.checked) shownIds.add(id)
    else shownIds.delete(id)
    this.show(shownIds)
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

  /** Takes one line away. */
  without(id) {
    this.show(new Set([...this.shown].filter((lineId) => lineId !== id)))
  }

  sort(button, column) {
    sortRows(this.section, button, column)
    this.rows = [...this.section.querySelectorAll("tr[data-line]")]
  }

  /** The address of this page with exactly these lines. */
  get address() {
    const address = new URL(location.href)
    address.searchParams.delete("on")
    for (const id of this.shown) address.searchParams.append("on", id)
    return address.href
  }
}
