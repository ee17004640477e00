// Why a method answered so: asked of the server on request, shown under its row.

import { EvidencePanels, MOST } from "../chart/evidence.js";
import { unfoldRow } from "./answer-table.js";
import { apiClient } from "./api-client.js";
import { html } from "./elements.js";

const PATIENCE = 300 // ms until a button says that it computes
const LONGEST = 120_000 // ms that an explanation may take

const http = apiClient()

/** Items of evidence, and the sentence why there are none. */
async function evidenceOf(section, name) {
  const query = new URLSearchParams({ of: name })
  const options = { patience: LONGEST }
  const { status, body } = await http.get(`${section.dataset.evidenceUrl}?${query}`, options)
  if (body?.items) return { problem: "", ...body }
  const why = status === 401 ? "you were signed out"
    : status === 0 ? "no network" : `the server answered ${status}`
  return { items: [], problem: `The evidence could not be loaded: ${why}. Try again.` }
}

export class Explaining {
  constructor(host, chart) {
    this.chart = chart
    this.panels = new EvidencePanels(host, chart)
    /** @type {Map<string, any[]>} */
    this.opened = new Map()
  }

  /** Opens or closes the evidence of one method of a legend. */
  async toggle(name, legend) {
    const { section } = legend
    const problem = section.querySelector("[data-evidence-problem]")
    problem.textContent = ""
    if (!this.opened.delete(name)) await this.open(name, legend, problem)
    this.show(legend)
  }

  async open(name, legend, problem) {
    const row = legend.rows.find((legendRow) => legendRow.dataset.line === name)
    const button = row?.querySelector("[data-evidence]")
    const timer = setTimeout(() => button?.replaceChildren("Computing…"), PATIENCE)
    row?.setAttribute("aria-busy", "true")
    const evidence = await evidenceOf(legend.section, name)
    const lines = [legend.line(name), legend.line("truth")].filter(Boolean)
    problem.textContent = evidence.problem
    const items = evidence.items.map((item) => ({ ...item, lines }))
    if (items.length) this.opened.set(name, items)
    clearTimeout(timer)
    button?.replaceChildren("Why")
    row?.removeAttribute("aria-busy")
  }

  /** Puts every explanation under the row of its method. */
  show({ section, rows }) {
    // The newest is wanted: it stands first, and the oldest makes room for it.
    while (this.opened.size > MOST) this.opened.delete(this.opened.keys().next().value ?? "")
    for (const old of section.querySelectorAll(".evidence-row")) old.remove()
    const items = [...this.opened].reverse().flatMap(([name, evidence]) => {
      const row = rows.find((legendRow) => legendRow.dataset.line === name)
      if (!row) return []
      const host = html("div", {})
      row.after(html("tr", { class: "evidence-row", "data-below": true },
        html("td", { colspan: 9 }, host)))
      unfoldRow(row)
      return evidence.map((item) => ({ ...item, host }))
    })
    this.panels.show(items)
    for (const button of section.querySelectorAll("[data-evidence]"))
      button.setAttribute("aria-pressed", String(this.opened.has(button.dataset.evidence ?? "")))
  }
}
