// @ts-check
// Why a method answered so: panels under the chart that share its axis and follow its window.

import { html } from "./chart/elements.js";
import { evidenceTable } from "./chart/evidence-table.js";
import { drawnPanel, figures, isPlotted } from "./chart/panels.js";

/** More than three panels are more than anybody reads at once. */
export const MOST = 3

/**
 * @typedef {{kind: "curve" | "bands" | "levels" | "events" | "figures", label: string, title?: string, slot?: number,
 *   lines?: {index: number, kind: string, slot?: number}[]} & Record<string, any>} Item as the server's as_json gives it,
 *   with the method's title and slot and the lines to be repeated in the panel
 */

export class EvidencePanels {
  constructor(/** @type {HTMLElement} */ host, /** @type {import("./chart.js").Chart} */ chart) {
    this.host = host
    this.chart = chart
    /** @type {{item: Item, place: HTMLElement}[]} */
    this.panels = []
    this.stop = chart.onDraw((stage) => this.draw(stage))
  }

  /** Shows these items instead of what was shown; levels go into the chart itself. */
  show(/** @type {Item[]} */ items) {
    const levels = items.find((item) => item.kind === "levels")
    const plotted = items.filter(isPlotted).slice(0, MOST)
    const rest = items.filter((item) => item.kind === "figures")
    this.panels = plotted.map((item) => ({ item, place: html("div", {}) }))
    this.host.replaceChildren(
      ...this.panels.map(({ item, place }) => panel(item, place)),
      ...rest.map((item) => html("section", { class: "evidence" }, head(item), figures(item))),
    )
    this.chart.setLevels(levels ? { pieces: levels.pieces, slot: levels.slot } : null)
    this.chart.setTicks(plotted.length === 0)
  }

  draw(/** @type {any} */ stage) {
    this.panels.forEach(({ item, place }, at) => {
      const ticks = at === this.panels.length - 1
      place.replaceChildren(drawnPanel(item, { plot: stage.plot, window: stage.window, n: stage.source.n, ticks }))
    })
  }

  destroy() {
    this.show([])
    this.stop()
  }
}

/** The method, then what is drawn; beside it, the way to the table and to the source. */
function head(/** @type {Item} */ item) {
  const words = html("p", { class: "evidence-head" }, html("b", {}, item.title ?? ""), " ", item.label)
  if (item.source) words.append(" ", html("a", { href: item.source }, "source"))
  return words
}

function panel(/** @type {Item} */ item, /** @type {HTMLElement} */ place) {
  const button = html("button", { class: "button button-quiet button-link small", type: "button", "aria-expanded": "false" }, "Table")
  const table = html("div", { hidden: true })
  button.addEventListener("click", () => {
    if (!table.childNodes.length) table.append(evidenceTable(item))
    table.hidden = !table.hidden
    button.setAttribute("aria-expanded", String(!table.hidden))
  })
  return html("section", { class: "evidence", "aria-label": `${item.title ?? "Evidence"}: ${item.label}` }, html("div", { class: "evidence-line" }, head(item), button), place, table)
}

/** Panels in a place under a chart; both live until destroyed. */
export const createEvidence = (/** @type {HTMLElement} */ host, /** @type {import("./chart.js").Chart} */ chart) => new EvidencePanels(host, chart)
