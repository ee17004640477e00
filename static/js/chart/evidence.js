// Why a method answered so: panels under the chart that share its axis and follow its window.

import { html, linkButton } from "../shared/elements.js";
import { tableOf } from "./evidence-table.js";
import { drawnPanel, figures, isPlotted } from "./panels.js";

/** More than three panels are more than anybody reads at once. */
export const MOST = 3

/**
 * @typedef {{kind: "curve" | "bands" | "levels" | "events" | "figures", label: string}
 *   & Record<string, any>} Item as the server's as_json gives it, with the method's title, slot,
 *   source and page, the lines to be repeated in the panel, and a host where it does not stand
 *   under the chart
 */

/** The plot of a panel that stands in another place than under the chart. */
const fitted = (plot, width) => ({ ...plot, stage: width, width: width - plot.left - 16 })

const keyOf = (item) => `${item.title ?? ""}: ${item.label}`

/** True if there is nothing to draw, which is an answer too: no outliers, no change points. */
export const isEmpty = (item) => (item.kind === "events" && !item.at.length)
  || (item.kind === "bands" && !item.spans.length)

/** Events are lines through the chart itself; curves and bands have a panel below it. */
const isEvents = (item) => item.kind === "events"

const isDrawn = (item) => (isPlotted(item) || isEvents(item)) && !isEmpty(item)

/** Keys of the open drawings: the last wanted one, then the others in order, at most three. */
export function openOf(keys, wantedKeys, shut) {
  const firstKeys = wantedKeys.filter((key) => keys.includes(key))
  const laterKeys = keys.filter((key) => !wantedKeys.includes(key) && !shut.has(key))
  return new Set([...firstKeys, ...laterKeys].slice(0, MOST))
}

/** Panels in a place under a chart. */
export class EvidencePanels {
  constructor(host, chart) {
    this.host = host
    this.chart = chart
    this.panels = []
    this.asked = []
    this.shut = new Set()
    this.levels = null
    chart.onDraw((stage) => this.draw(stage))
  }

  /** Shows these items instead of what was shown; levels go into the chart itself. */
  show(items) {
    const shownTitles = new Set()
    const isFirst = ({ title }) => !shownTitles.has(title) && Boolean(shownTitles.add(title))
    this.panels = items.map((item) => this.panelOf(item, isFirst(item)))
    this.host.replaceChildren()
    for (const { item, section } of this.panels) (item.host ?? this.host).append(section)
    this.arrange()
  }

  panelOf(item, isFirst) {
    const key = keyOf(item)
    const host = html("div", {})
    const line = html("div", { class: "evidence-line" }, head(item, isFirst))
    const section = html("section", { class: "evidence", "aria-label": key }, line)
    const word = item.kind === "levels" || (isEvents(item) && isDrawn(item)) ? "In the chart"
      : isDrawn(item) ? "Drawing" : ""
    const button = word ? linkButton(word, () => this.toggle(key, item.kind)) : null
    if (button) line.append(button)
    if (item.kind === "figures") section.append(figures(item))
    else if (!isEmpty(item)) section.append(host, ...tableOf(item, line))
    return { key, item, section, place: host, button }
  }

  /** Opens a wanted drawing first, and closes the one that was wanted longest ago. */
  toggle(key, kind) {
    if (kind === "levels") this.levels = this.levels === key ? "" : key
    else if (this.open.has(key)) {
      this.shut.add(key)
      this.asked = this.asked.filter((wantedKey) => wantedKey !== key)
    } else {
      this.shut.delete(key)
      this.asked = [key, ...this.asked.filter((wantedKey) => wantedKey !== key)]
    }
    this.arrange()
  }

  get plotted() {
    return this.panels.filter(({ item }) => isDrawn(item))
  }

  /** Events take no room below the chart: all are open that nobody shut. */
  get open() {
    const keysOf = (isChosen) => this.plotted.filter(({ item }) => isChosen(item))
      .map(({ key }) => key)
    return new Set([...openOf(keysOf(isPlotted), this.asked, this.shut),
      ...keysOf(isEvents).filter((key) => !this.shut.has(key))])
  }

  /** Says on the buttons what is drawn, and draws it. */
  arrange() {
    const stepped = this.panels.filter(({ item }) => item.kind === "levels")
    // Levels of one method at a time: the first, unless another or none was asked for.
    const level = stepped.find(({ key }) => key === this.levels)
      ?? (this.levels === "" ? undefined : stepped[0])
    const { open } = this
    for (const { key, item, place, button } of this.panels) {
      const isShown = item.kind === "levels" ? key === level?.key : open.has(key)
      place.hidden = !isShown
      button?.setAttribute("aria-pressed", String(isShown))
    }
    this.chart.setLevels(level ? { pieces: level.item.pieces, slot: level.item.slot } : null)
    const isOpen = ({ key }) => open.has(key)
    this.chart.setEvents(this.plotted.filter((panel) => isEvents(panel.item) && isOpen(panel))
      .map(({ item }) => item))
    // Below the chart the lowest panel has the figures of the axis; elsewhere each has its own.
    this.chart.setTicks(!this.plotted.some((panel) => isOpen(panel) && isPlotted(panel.item)
      && !panel.item.host))
    if (this.chart.stage?.drawn) this.draw(this.chart.stage)
  }

  draw(stage) {
    const { open } = this
    const openPanels = this.plotted.filter(({ key, item }) => open.has(key) && isPlotted(item))
    for (const { item, place } of openPanels) {
      const ticks = place === openPanels.findLast((panel) => panel.item.host === item.host)?.place
      const plot = item.host ? fitted(stage.plot, item.host.clientWidth) : stage.plot
      place.replaceChildren(
        drawnPanel(item, { plot, window: stage.window, n: stage.source.n, ticks }))
    }
  }
}

/** The method, what is drawn, and how to read it; the way to the source once a method. */
function head(item, isFirst) {
  const ending = isEmpty(item) ? ": none." : "."
  const words = html("p", { class: "evidence-head" }, html("b", {}, item.title ?? ""), " ",
    `${item.label}${ending} ${item.meaning ?? ""} `)
  if (isFirst && item.page) words.append(html("a", { href: item.page }, "How it works"), " ")
  if (isFirst && item.source) words.append(html("a", { href: item.source }, "Source"))
  return words
}

