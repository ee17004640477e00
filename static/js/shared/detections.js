// The table of detections laid over a chart: its legend, its evidence, and what its buttons do.

import { foldGroup } from "./answer-table.js";
import { copyAddress } from "./copying.js";
import { Explaining } from "./explaining.js";
import { Legend } from "./legend.js";

export class Detections {
  /** Legend; null until a table was taken. @type {Legend | null} */
  legend = null

  constructor(figure, chart) {
    this.chart = chart
    this.description = figure.querySelector("#chart-description")
    this.explaining = new Explaining(figure.querySelector("[data-chart-evidence]"), chart)
    chart.options.onLine = (id) => this.legend?.raiseRow(id)
    chart.options.onAnswer = (id, isKept) => this.legend?.answer(id, isKept)
  }

  /** Takes the table: at first, of another case, and again when workers have answered. Marks that
   * `shownOf` chooses are always drawn; without it a box of the page says whether.
   * @param {((marks: any[]) => any[]) | null} shownOf */
  take(section, plain, shownOf = null) {
    const data = JSON.parse(section.querySelector("#overlay-data")?.textContent ?? "{}")
    if (this.description) this.description.textContent = `${plain} ${data.description}`
    this.legend = new Legend(section, this.chart, {
      ...data, marks: shownOf ? shownOf(data.marks) : data.marks,
      ...(shownOf && { areMarksShown: true }),
    })
    this.explaining.show(this.legend)
  }

  /** Does what a button of the table says. */
  act(button) {
    const { show, sort, evidence, copyLines, fold, more } = button.dataset
    if ((fold ?? more) !== undefined) foldGroup(button)
    if (show) this.legend?.showMeant(show)
    if (sort) this.legend?.sort(button, sort)
    if (evidence && this.legend) void this.explaining.toggle(evidence, this.legend)
    if (copyLines !== undefined) void copyAddress(button, this.legend?.address ?? location.href)
  }
}
