// @ts-check
// Why a method answered so: asked of the server when somebody wants to see it, shown under the chart.

import { createEvidence, MOST } from "../evidence.js";

const PATIENCE = 300 // ms until a button says that it computes

async function getJson(/** @type {string} */ address) {
  const answer = await fetch(address, { credentials: "same-origin", headers: { Accept: "application/json" } })
  if (!answer.ok && answer.status !== 422) throw new Error(`the server answered ${answer.status}`)
  return answer.json()
}

export class Explaining {
  /** @param {HTMLElement} host @param {any} chart */
  constructor(host, chart) {
    this.chart = chart
    this.panels = createEvidence(host, chart)
    /** @type {Map<string, any[]>} */
    this.opened = new Map()
  }

  /** Opens or closes the evidence of one method of a legend. */
  async toggle(/** @type {string} */ name, /** @type {import("../comparison/legend.js").Legend} */ legend) {
    const { section } = legend
    const problem = /** @type {HTMLElement} */ (section.querySelector("[data-evidence-problem]"))
    problem.textContent = ""
    if (!this.opened.delete(name)) await this.open(name, legend, problem)
    this.show()
    this.reflect(section)
  }

  async open(/** @type {string} */ name, /** @type {import("../comparison/legend.js").Legend} */ legend, /** @type {HTMLElement} */ problem) {
    const row = legend.rows.find((each) => each.dataset.line === name)
    const button = row?.querySelector("[data-evidence]")
    const waiting = setTimeout(() => button?.replaceChildren("Computing…"), PATIENCE)
    row?.setAttribute("aria-busy", "true")
    try {
      const found = await getJson(`${legend.section.dataset.evidenceUrl}?of=${encodeURIComponent(name)}`)
      const lines = [legend.line(name), legend.line("truth")].filter(Boolean)
      problem.textContent = found.problem ?? ""
      if (found.items.length) this.opened.set(name, found.items.map((/** @type {any} */ item) => ({ ...item, lines })))
    } catch (error) {
      problem.textContent = `The evidence did not come: ${/** @type {Error} */ (error).message}. Try again.`
    }
    clearTimeout(waiting)
    button?.replaceChildren("Why")
    row?.removeAttribute("aria-busy")
  }

  show() {
    // The newest explanation is wanted: it stands first, and the oldest makes room for it.
    while (this.opened.size > MOST) this.opened.delete(/** @type {string} */ (this.opened.keys().next().value))
    this.panels.show([...this.opened.values()].reverse().flat())
  }

  /** Says on the buttons what is open. */
  reflect(/** @type {HTMLElement} */ section) {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-evidence]")))
      button.setAttribute("aria-pressed", String(this.opened.has(button.dataset.evidence ?? "")))
  }
}
