// The whole series in a strip under the chart; its frame is the window, to drag and to pull.

import { html, round, svg } from "../shared/elements.js";
import { outlineOf } from "./decimate.js";
import { clamp } from "./view.js";

const EDGE = 12

/** Path of a line through points, clipped to the strip. */
export function path({ x, y }, { n, width, height, range: [lo, hi] }) {
  let text = ""
  for (let k = 0; k < x.length; k++) {
    const px = ((x[k] + 0.5) / n) * width
    const py = Math.min(Math.max((1 - (y[k] - lo) / (hi - lo)) * (height - 4) + 2, 0), height)
    text += `${k ? "L" : "M"}${round(px)} ${round(py)}`
  }
  return text
}

/** The line of values or medians, and the band of many values. */
export function paths({ x, y, bands }, strip) {
  if (!bands) return { line: path({ x, y }, strip), band: "" }
  const [low, , median, , high] = bands.quantiles
  return { line: path({ x: bands.x, y: median }, strip),
    band: `${path(outlineOf(bands.x, low, high), strip)}z` }
}

/** Window after a drag by so many iterations, of the frame or of one of its handles. */
export function draggedWindow([from, to], part, distance, n) {
  if (part === "frame") return clamp(from + distance, to + distance, n)
  if (part === "from") return clamp(Math.min(from + distance, to - 20), to, n)
  const end = Math.min(Math.max(to + distance, from + 20), n)
  return clamp(from, end, n)
}

export class Overview {
  constructor(host) {
    this.line = svg("path", { class: "overview-line" })
    this.band = svg("path", { class: "overview-band" })
    this.marks = svg("g", {})
    this.picture = svg("svg", { "aria-hidden": "true" }, this.band, this.line,
      this.marks)
    this.frame = html("div", { class: "overview-frame" },
      html("span", { class: "overview-handle" }),
      html("span", { class: "overview-handle overview-handle-end" }))
    this.element = html("div", { class: "overview" }, this.picture, this.frame)
    this.element.hidden = true
    host.append(this.element)
    this.host = host
    this.n = 1
    this.window = /** @type {[number, number]} */ ([0, 1])
    /** @type {(window: [number, number]) => void} */
    this.onWindow = () => undefined
    this.element.addEventListener("pointerdown", (event) => this.press(event))
    this.element.addEventListener("dblclick", () => this.onWindow([0, this.n]))
  }

  /** Draws the series when it or the width is another, and the frame always. */
  draw(stage) {
    const { source, plot, series } = stage
    this.element.hidden = false
    const width = plot.full ? this.host.clientWidth : plot.width
    Object.assign(this.element.style, { marginLeft: `${plot.left}px`, width: `${width}px` })
    this.n = source.n
    const key = `${series.digest} ${width}`
    if (key !== this.key) {
      this.key = key
      this.width = width
      const points = source.points(0, source.n, width)
      const height = this.element.clientHeight || 36
      const range = series.robust ? series.robust.map((value) => value / series.scale)
        : source.range(0, source.n)
      this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`)
      const { line, band } = paths(points, { n: this.n, width, height, range })
      this.line.setAttribute("d", line)
      this.band.setAttribute("d", band)
    }
    this.setWindow(stage.window)
    this.setMarks(stage)
  }

  setWindow(window) {
    this.window = window
    this.frame.style.left = `${(window[0] / this.n) * 100}%`
    this.frame.style.width = `${((window[1] - window[0]) / this.n) * 100}%`
  }

  /** Own mark and ground truth, as lines with what is steady behind them. */
  setMarks(stage) {
    const truth = stage.lines.find((line) => line.kind === "truth")
    const x = (index) => round(((index + 0.5) / this.n) * (this.width ?? 1))
    const tick = (index, name) =>
      svg("line", { class: `overview-${name}`, x1: x(index), x2: x(index), y1: 0, y2: "100%" })
    this.marks.replaceChildren()
    if (truth) this.marks.append(tick(truth.index, "truth"))
    this.marks.append(...stage.marker.others.map((index) => tick(index, "mark")))
    if (stage.marker.index === null) return
    const from = x(stage.marker.index)
    this.marks.append(svg("rect", { class: "chart-tint", x: from, y: 0,
      width: Math.max(0, (this.width ?? 1) - from), height: "100%" }),
      tick(stage.marker.index, "mark"))
  }

  /** A drag on a handle zooms, on the frame pans, elsewhere makes a new window. */
  press(event) {
    if (event.button !== 0) return
    const box = this.element.getBoundingClientRect()
    const iterationAt = (clientX) => ((clientX - box.left) / box.width) * this.n
    const start = iterationAt(event.clientX)
    const edgeWidth = (EDGE / box.width) * this.n
    const oldWindow = this.window
    const isWhole = oldWindow[1] - oldWindow[0] >= this.n
    /** @type {"frame" | "from" | "to" | "new"} */
    let part = "new"
    if (Math.abs(start - oldWindow[0]) <= edgeWidth) part = "from"
    else if (Math.abs(start - oldWindow[1]) <= edgeWidth) part = "to"
    else if (!isWhole && start > oldWindow[0] && start < oldWindow[1]) part = "frame"
    const move = (moveEvent) => {
      const distance = iterationAt(moveEvent.clientX) - start
      if (part === "new" && Math.abs(distance) < edgeWidth / 3) return
      const end = start + distance
      this.onWindow(part === "new" ? clamp(Math.min(start, end), Math.max(start, end), this.n)
        : draggedWindow(oldWindow, part, distance, this.n))
    }
    const dragEnd = new AbortController()
    const on = (kind, act) => this.element.addEventListener(kind, act, { signal: dragEnd.signal })
    this.element.setPointerCapture(event.pointerId)
    on("pointermove", move)
    for (const kind of ["pointerup", "pointercancel"]) on(kind, () => dragEnd.abort())
  }
}
