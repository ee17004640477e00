// One drawn chart: Plotly's drawing, what stands above it, the surface for pointer and keys.

import { within } from "./decimate.js";
import { Overview } from "./overview.js";
import { cutOff } from "./range.js";
import { html, svg, textWidth } from "../shared/elements.js";
import { figure, geometry, xTicks, yTicks } from "./figure.js";
import { Marker } from "./marker.js";
import { drawnScene, titleOf } from "./scene.js";
import { toIteration } from "./scale.js";
import { axis, clamp } from "./view.js";
import { flatPixels, linearRange, yRange } from "./y-range.js";

/** Defaults of a series that does not say how it is drawn. */
const PLAIN = { scale: 1, unit: "", quantity: "" }

/** Places of labels on a page without lines. @type {import("./overlay.js").Places} */
const NO_LINES = { inView: [], at: new Map(), placed: [], rest: [], lanes: 0 }

/** Label lanes kept free, so that nothing moves when lines come; many need more on a phone. */
const reserved = (lanes, narrow) => (narrow && lanes >= 4 ? 6 : lanes)

/** @typedef {{ticks: boolean, lanes: number, parts?: typeof import("./overlay.js"),
 *   strip?: typeof import("./strip-parts.js") | null, markWord?: string}} Look */

export class Stage {
  /** @type {import("./figure.js").Plot} none before the first drawing */ plot
  /** @type {[number, number]} */ window
  /**
   * @param {{stages: HTMLElement, overview: HTMLElement | null}} places
   * @param {typeof import("../shared/plotter.js").plotter} plotter
   * @param {Look} look shared by both stages
   */
  constructor({ stages, overview }, plotter, look) {
    this.plotter = plotter
    this.look = look
    this.graph = html("div", { class: "chart-graph", "aria-hidden": "true" })
    this.overlay = svg("svg", { class: "chart-overlay" })
    this.surface = html("div", { class: "chart-surface", tabindex: 0, role: "application",
      "aria-roledescription": "time series", "aria-label": "Chart" })
    this.element = html("div", { class: "chart-stage" }, this.graph, this.overlay, this.surface)
    stages.append(this.element)
    this.marker = new Marker(this.surface, look.markWord)
    this.overview = overview ? new Overview(overview) : null
    this.reset()
  }

  reset() {
    this.mode = /** @type {import("./view.js").Mode} */ ("robust")
    this.log = false
    this.window = [0, 1]
    this.lines = []
    /** @type {{pieces: [number, number, number][], slot?: number} | null} */
    this.levels = null
    this.strip = /** @type {import("./strip.js").Strip | null} */ (null)
    /** @type {{at: number[], slot?: number}[]} */
    this.events = []
    this.tint = this.cursor = this.hover = null
    this.moving = false
    this.linear = null
    this.marker.set(null, null, [])
  }

  /** Takes a series and its values; nothing is drawn yet. */
  take(series, source) {
    this.reset()
    this.series = { ...PLAIN, ...series }
    this.source = source
    this.window = clamp(0, source.n, source.n)
    this.surface.setAttribute("aria-label", series.label ?? "Chart")
    // A logarithmic axis shows values above zero only.
    this.canLog = source.extent[0] > 0
  }

  show(visible) {
    for (const element of [this.element, this.overview?.element])
      element?.classList.toggle("is-hidden", !visible)
    this.surface.tabIndex = visible ? 0 : -1
  }

  get drawn() { return Boolean(this.plot) }
  get range() { return axis(this.window) }

  /** Height of the last half's band in pixels where it is hardly seen; else null. */
  get flat() {
    return this.plot ? flatPixels(this) : null
  }

  draw() {
    if (!this.source || !this.element.clientWidth) return
    const { window, log, look: { ticks: hasTicks, strip }, series: { scale, unit } } = this
    const width = this.element.clientWidth
    const style = getComputedStyle(this.element)
    const plotHeight = parseFloat(style.getPropertyValue("--plot")) || 306
    const full = style.getPropertyValue("--full") === "1"
    const frame = { width, plotHeight, ticks: hasTicks, strip: Boolean(strip), full }
    const ruler = geometry({ ...frame, lanes: 1 })
    this.points = this.source.points(...window, ruler.width * Math.min(devicePixelRatio, 2))
    const inView = within(this.points, window)
    this.linear = linearRange(this)
    this.yAxis = yRange(this.linear, log, inView)
    const hideValues = Boolean(this.series.hideValues)
    const view = { window, n: this.source.n, range: this.yAxis, log, ticks: hasTicks, hideValues,
      scale, unit }
    const y = yTicks(plotHeight, view)
    const labels = hideValues ? 0 : Math.max(0, ...y.texts.map(textWidth))
    const { parts } = this.look
    const layout = parts?.places(this.lines, window, geometry({ ...frame, lanes: 1, labels }))
      ?? NO_LINES
    const lanes = Math.max(reserved(this.look.lanes, ruler.narrow), layout.lanes)
    this.plot = geometry({ ...frame, lanes, labels })
    const ticks = { x: xTicks(this.plot, window, this.source.n), y }
    this.element.style.height = `${this.plot.whole}px`
    this.plotter.plot(this.graph, figure(this.plot, this.points, view, ticks))
    this.cut = cutOff(inView.x, inView.y,
      log ? this.yAxis.map((power) => 10 ** power) : this.yAxis)
    this.place(layout, y)
    this.overview?.draw(this)
  }

  /** Puts everything of ours where Plotly's plot stands. */
  place(layout, labels) {
    const { plot, cut, window, yAxis, log, tint, levels, events, strip, series, look } = this
    this.found = strip && look.strip?.placed(strip, window, plot)
    for (const side of ["left", "top", "width", "height"])
      this.surface.style[side] = `${plot[side]}px`
    this.surface.classList.toggle("is-zoomed", window[1] - window[0] < this.source.n)
    const title = titleOf(series, labels.unit)
    const lines = look.parts?.drawnLines(layout, plot) ?? []
    const answers = this.found && look.strip?.drawnStrip(strip, this.found, window, plot)
    this.overlay.replaceChildren(...drawnScene({ plot, lines, strip: answers, cut, window, yAxis,
      log, tint, levels, events, scale: series.scale, title, ticks: look.ticks,
      labels: plot.full && !series.hideValues ? labels : null }))
    for (const menu of this.element.querySelectorAll(".chart-more")) menu.remove()
    this.element.append(...(look.parts?.menus(layout, this.lines, plot) ?? []))
    const hiddenIds = this.found?.rest ?? []
    if (strip && look.strip && hiddenIds.length)
      this.element.append(look.strip.moreMenu(hiddenIds, strip, plot))
    this.marker.place({ width: plot.width, range: this.range })
  }

  /** Iteration under a point of the screen, by the box of the surface: that of Plotly's plot. */
  iterationAt(clientX) {
    const { left, width } = this.surface.getBoundingClientRect()
    return toIteration(clientX, { left, width, range: this.range, n: this.source?.n ?? 1 })
  }
}
