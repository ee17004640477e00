// One figure in its frame: drawn, raised, clicked, saved.

import { plotter } from "../shared/plotter.js";
import { coloured, palette } from "./colours.js";
import { save, saveTable } from "./files.js";
import { names, raised } from "./raising.js";
import { unpackTable } from "./tables.js";
import { connectWindow } from "./zooming.js";

/** @typedef {{data: any[], layout: any}} Figure data and layout as Plotly takes them */

/** Address of a point: its own, or its place in that of the figure. */
export function addressOf(customdata, { href = "" } = {}) {
  if (typeof customdata !== "string" || !customdata) return ""
  return href ? href.replace("{}", customdata) : customdata
}

/** Name that a curve or a point of a page of its own raises; "" for one that says nothing. */
export const raisedBy = (point) =>
  (point?.data?.meta?.raises ? point.id ?? point.data.legendgroup : "")

const NARROW = 480

/** Labels in short where there is little room for them, and without what is for wide ones. */
export const fitting = (data, width) => (width < NARROW
  ? data.filter((trace) => !trace.meta?.wide).map((trace) => (
    trace.meta?.short ? { ...trace, text: trace.meta.short } : trace))
  : data)

/** Shapes without those that are for wide figures, where it is narrow. */
export const fittingShapes = (shapes, width) =>
  shapes?.filter(({ name }) => width >= NARROW || name !== "wide")

export class DrawnFigure {
  constructor(host) {
    const part = (name) => host.querySelector(`[data-plot-${name}]`)
    this.host = host
    this.stage = part("stage")
    this.saving = part("saving")
    this.choice = part("raise")
    this.graph = null
    this.isDrawing = false
    this.drawnWidth = 0
    this.figure = JSON.parse(part("json").textContent)
    this.meta = this.figure.layout.meta
    this.kept = this.raised = this.meta.raised ?? ""
  }

  get width() {
    return Math.min(this.stage.clientWidth, this.meta.mostWidth)
  }

  /** Draws it, or draws it anew. @param {string} scheme "light" on paper; else the page's */
  draw(scheme = "") {
    if (!this.width) return
    const { data, layout } = raised(this.figure, this.raised)
    const { colour, done } = palette(scheme)
    this.drawnWidth = this.width
    const zooms = Boolean(this.meta.zooms) && this.width >= NARROW // a phone scrolls the page
    const drawing = { data: fitting(data, this.width), layout: { ...layout, width: this.width } }
    if (layout.shapes) drawing.layout.shapes = fittingShapes(layout.shapes, this.width)
    if (this.width < NARROW) Object.assign(drawing.layout, this.meta.narrow)
    if (zooms) drawing.layout.dragmode = "zoom"
    const options = zooms ? { doubleClick: "reset" } : {}
    this.isDrawing = true // drawing anew ends what the library calls a hover, and begins one
    plotter.plot(this.graph ?? this.begin(), coloured(drawing, colour), options)
    this.isDrawing = false
    done()
    this.host.dispatchEvent(new CustomEvent("plot:drawn", { detail: this, bubbles: true }))
  }

  begin() {
    const graph = (this.graph = document.createElement("div"))
    this.stage.replaceChildren(graph)
    queueMicrotask(() => this.listen(graph))
    return graph
  }

  /** @param {HTMLDivElement} graph */
  listen(graph) {
    graph.on("plotly_hover", ({ points: [point] }) => this.over(point))
    graph.on("plotly_unhover", () => this.over(null))
    graph.on("plotly_click", ({ points: [point], event }) => this.click(point, event))
    if (this.meta.window) connectWindow(graph, this.meta.window)
    if (!this.saving) return
    this.saving.hidden = false
    this.saving.addEventListener("click", ({ target }) => {
      const format = target.closest("[data-plot-save]")?.dataset.plotSave
      if (format === "csv") this.keepTable()
      else if (format) void save(this.graph, format, this.host.id)
    })
    this.choice?.addEventListener("change", () => this.keep(this.choice.value))
    this.host.addEventListener("keydown", ({ key }) => key === "Escape" && this.keep(""))
  }

  keepTable() {
    unpackTable(this.host)
    saveTable(this.host.querySelector("table"), this.host.id)
  }

  over(point) {
    if (this.isDrawing) return
    const name = this.nameOf(point) || raisedBy(point)
    this.stage.toggleAttribute("data-leads", Boolean(point && (name || this.leadsTo(point))))
    this.raise(name || this.kept)
  }

  click(point, event) {
    const name = this.nameOf(point)
    if (name) return this.keep(name === this.kept ? "" : name)
    this.open(this.leadsTo(point), event)
  }

  /** Opens a list or a page, beside this one where the person asks for that. */
  open(address, { ctrlKey = false, metaKey = false } = {}) {
    if (!address) return
    if (ctrlKey || metaKey) window.open(address, "_blank", "noopener")
    else location.assign(address)
  }

  /** The method that a label names; "" for anything else, and for what leads to series. */
  nameOf(point) {
    return (point && !this.leadsTo(point) && names(this.figure).find((name) => name === point.id))
      || ""
  }

  leadsTo(point) {
    return addressOf(point.customdata ?? point.data?.meta?.address, this.meta)
  }

  /** Raises a method above the others; "" none. */
  raise(name) {
    if (name === this.raised) return
    this.raised = name
    this.draw()
  }

  /** Raises a method until another is. */
  keep(name) {
    this.kept = name
    if (this.choice) this.choice.value = name
    this.raise(name)
  }
}
