// @ts-check
// One drawn chart: Plotly's drawing, what stands above it, the surface that takes pointer and keys. Two of them may lie
// one above the other; the hidden one keeps its size and can be drawn ahead.

import { within } from "../decimate.js";
import { Overview } from "../overview.js";
import { cutOff, full, logarithmic } from "../range.js";
import { html, svg } from "./elements.js";
import { figure, geometry, ticksOf } from "./figure.js";
import { Marker } from "./marker.js";
import { places, restMenu } from "./overlay.js";
import { drawnScene, titleOf } from "./scene.js";
import { toIteration } from "./scale.js";
import { axis, clamp } from "./view.js";

/** What a series needs to be drawn when it does not say. */
const PLAIN = { scale: 1, unit: "", quantity: "" }

/** Label lanes kept free from the start, so that nothing moves when lines come; many lines need more of them on a phone. */
const reserved = (/** @type {number} */ lanes, /** @type {boolean} */ narrow) => (narrow && lanes >= 4 ? 6 : lanes)

export class Stage {
  /**
   * @param {{stages: HTMLElement, overview: HTMLElement | null}} places
   * @param {{plot: (graph: HTMLElement, figure: object) => void, purge: (graph: HTMLElement) => void}} plotter
   * @param {{ticks: boolean, lanes: number}} look shared by both stages
   */
  constructor({ stages, overview }, plotter, look) {
    this.plotter = plotter
    this.look = look
    this.graph = html("div", { class: "chart-graph", "aria-hidden": "true" })
    this.overlay = svg("svg", { class: "chart-overlay" })
    this.surface = html("div", { class: "chart-surface", tabindex: 0, role: "application", "aria-roledescription": "time series", "aria-label": "Chart" })
    this.element = html("div", { class: "chart-stage" }, this.graph, this.overlay, this.surface)
    stages.append(this.element)
    this.marker = new Marker(this.surface)
    this.overview = overview ? new Overview(overview) : null
    this.reset()
  }

  reset() {
    this.mode = /** @type {"robust" | "window" | "full"} */ ("robust")
    this.log = false
    this.window = /** @type {[number, number]} */ ([0, 1])
    /** @type {import("./overlay.js").Line[]} */
    this.lines = []
    /** @type {{pieces: [number, number, number][], slot?: number} | null} */
    this.levels = null
    /** @type {number | null} */
    this.tint = null
    /** @type {number | null} */
    this.cursor = null
    /** @type {number | null} */
    this.hover = null
    this.moving = false
    /** @type {[number, number] | null} */
    this.linear = null
    this.marker.set(null, null)
  }

  /** Takes a series and its values; nothing is drawn yet. */
  take(/** @type {any} */ series, /** @type {import("../payload.js").Source} */ source) {
    this.reset()
    this.series = { ...PLAIN, ...series }
    this.source = source
    this.window = clamp(0, source.n, source.n)
    this.surface.setAttribute("aria-label", series.label ?? "Chart")
    // A logarithmic axis shows values above zero only.
    this.canLog = Array.from(source.points(0, source.n, 4096).y).every((value) => value > 0)
  }

  show(/** @type {boolean} */ visible) {
    for (const element of [this.element, this.overview?.element]) element?.classList.toggle("is-hidden", !visible)
    this.surface.tabIndex = visible ? 0 : -1
  }

  get drawn() {
    return Boolean(this.plot)
  }

  get range() {
    return axis(this.window)
  }

  /** Range of the y-axis in units of the payload; powers of ten when logarithmic. @returns {[number, number]} */
  yRange(/** @type {{x: ArrayLike<number>, y: ArrayLike<number>}} */ points) {
    const [lo, hi] = (this.linear = this.linearRange(points))
    if (!this.log) return [lo, hi]
    return logarithmic([lo, hi], Math.min(...Array.from(points.y)))
  }

  linearRange(/** @type {{x: ArrayLike<number>, y: ArrayLike<number>}} */ points) {
    const { robust, scale } = this.series
    if (this.mode === "robust" && robust) return /** @type {[number, number]} */ ([robust[0] / scale, robust[1] / scale])
    // While the window moves, its own range stands still.
    if (this.mode === "window" && this.moving && this.linear) return this.linear
    const source = /** @type {import("../payload.js").Source} */ (this.source)
    const all = this.mode === "window" ? points : source.points(0, source.n, 4096)
    return full(all.y)
  }

  draw() {
    if (!this.source || !this.element.clientWidth) return
    const width = this.element.clientWidth
    const plotHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--plot")) || 306
    const ruler = geometry({ width, plotHeight, lanes: 1, ticks: this.look.ticks })
    const found = places(this.lines, this.window, ruler)
    this.plot = geometry({ width, plotHeight, lanes: Math.max(reserved(this.look.lanes, ruler.narrow), found.lanes), ticks: this.look.ticks })
    this.points = this.source.points(...this.window, this.plot.width * Math.min(devicePixelRatio, 2))
    const inView = within(this.points, this.window)
    const yRange = this.yRange(inView)
    const view = { window: this.window, n: this.source.n, range: yRange, log: this.log, ticks: this.look.ticks, hideValues: Boolean(this.series.hideValues), scale: this.series.scale, unit: this.series.unit }
    const ticks = ticksOf(this.plot, view)
    this.element.style.height = `${this.plot.whole}px`
    this.plotter.plot(this.graph, figure(this.plot, this.points, view, ticks))
    this.yAxis = yRange
    const linear = this.log ? /** @type {[number, number]} */ ([10 ** yRange[0], 10 ** yRange[1]]) : yRange
    this.cut = cutOff(inView.x, inView.y, linear)
    this.place(found, ticks.y.unit)
    this.overview?.draw(this)
  }

  /** Puts everything of ours where Plotly's plot stands. */
  place(/** @type {ReturnType<typeof places>} */ found, /** @type {string} */ unit) {
    const plot = /** @type {import("./figure.js").Plot} */ (this.plot)
    const { left, top, width, height } = plot
    Object.assign(this.surface.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
    this.surface.classList.toggle("is-zoomed", this.window[1] - this.window[0] < /** @type {any} */ (this.source).n)
    this.overlay.replaceChildren(...drawnScene({
      plot, found, cut: /** @type {any} */ (this.cut), window: this.window, yAxis: /** @type {any} */ (this.yAxis), log: this.log, tint: this.tint,
      levels: this.levels, scale: this.series.scale, title: titleOf(this.series, unit), ticks: this.look.ticks,
    }))
    this.element.querySelector(".chart-more")?.remove()
    if (found.rest.length) this.element.append(restMenu(found.rest, this.lines))
    this.marker.place({ width, range: this.range })
  }

  /** Iteration under a point of the screen, by the box of the surface, which is that of Plotly's plot. */
  iterationAt(/** @type {number} */ clientX) {
    const box = this.surface.getBoundingClientRect()
    return toIteration(clientX, { left: box.left, width: box.width, range: this.range, n: this.source?.n ?? 1 })
  }

  destroy() {
    this.plotter.purge(this.graph)
    this.overview?.element.remove()
    this.element.remove()
  }
}
