// Pointer, wheel and touch on a chart's surface. A press that moves four pixels is a drag.

import { zoom } from "./view.js";

const STILL = 4
/** A dragged mark at the edge moves the window by a twentieth every tenth of a second. */
const EDGE_PAN = 0.05
const EDGE_EVERY = 100

/** @typedef {import("./stage.js").Stage} Stage */

/** @param {Stage} stage; the chart gives setWindow, hover(index) and pick(index, phase) */
export function connectGestures(stage, chart) {
  const { surface, marker } = stage
  /** @type {Map<number, number>} */
  const pointers = new Map()
  /** A drag: x, window, moved, kind ("press", "mark", "range") and gap; null for none. */
  let drag = null
  let edge

  const perPixel = () => (stage.window[1] - stage.window[0]) / surface.clientWidth
  const isZoomed = () => stage.window[1] - stage.window[0] < (stage.source?.n ?? 0)
  const gap = () => {
    const [a = 0, b = 0] = pointers.values()
    return Math.max(8, Math.abs(a - b))
  }

  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !stage.drawn || event.target === marker.away) return
    pointers.set(event.pointerId, event.clientX)
    surface.setPointerCapture(event.pointerId)
    const kind = event.target === marker.handle ? "mark" : event.shiftKey ? "range" : "press"
    drag = { x: event.clientX, window: stage.window, moved: pointers.size > 1, kind, gap: gap() }
    chart.hover(stage.iterationAt(event.clientX))
  })

  surface.addEventListener("pointermove", (event) => {
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event.clientX)
    const index = stage.iterationAt(event.clientX)
    if (!drag) return chart.hover(index)
    if (pointers.size > 1) return pinch()
    if (Math.abs(event.clientX - drag.x) > STILL) drag.moved = true
    if (drag.kind === "mark") return dragMark(event)
    chart.hover(index)
    if (!drag.moved) return
    if (drag.kind === "range") band(event.clientX)
    else if (isZoomed()) {
      const by = (drag.x - event.clientX) * perPixel()
      chart.setWindow([drag.window[0] + by, drag.window[1] + by])
    }
  })

  surface.addEventListener("pointerup", (event) => {
    const was = drag
    release(event)
    if (!was || event.button !== 0 || pointers.size) return
    const index = stage.iterationAt(event.clientX)
    if (was.kind === "mark") chart.pick(index, "drop")
    else if (!was.moved) chart.pick(index, "click")
    else if (was.kind === "range") chart.setWindow(ends(was.x, event.clientX))
  })

  surface.addEventListener("pointercancel", (event) => {
    // The browser took the touch for scrolling: whatever it did so far is no answer.
    if (drag?.kind === "press") chart.setWindow(drag.window)
    release(event)
  })

  surface.addEventListener("pointerleave", () => drag ?? chart.hover(null))

  surface.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const factor = 1.2 ** Math.max(-3, Math.min(3, -event.deltaY / 40))
    chart.setWindow(zoom(stage.window, stage.iterationAt(event.clientX), stage.source?.n ?? 1,
      factor))
  }, { passive: false })

  function release(event) {
    pointers.delete(event.pointerId)
    clearInterval(edge)
    surface.querySelector(".chart-band")?.remove()
    if (!pointers.size) drag = null
  }

  function pinch() {
    if (!drag) return
    drag.moved = true
    const [a, b] = pointers.values()
    const now = zoom(drag.window, stage.iterationAt((a + b) / 2), stage.source?.n ?? 1,
      gap() / drag.gap)
    chart.setWindow(now)
  }

  function ends(x, y) {
    const [from, to] = [stage.iterationAt(Math.min(x, y)), stage.iterationAt(Math.max(x, y)) + 1]
    return /** @type {[number, number]} */ ([from, to])
  }

  function band(x) {
    const box = surface.getBoundingClientRect()
    const found = surface.querySelector(".chart-band")
      ?? surface.appendChild(Object.assign(document.createElement("div"),
      { className: "chart-band" }))
    const [from, to] = [Math.max(0, Math.min(drag?.x ?? x, x) - box.left),
      Math.min(box.width, Math.max(drag?.x ?? x, x) - box.left)]
    Object.assign(found.style, { left: `${from}px`, width: `${to - from}px` })
  }

  function dragMark(event) {
    const box = surface.getBoundingClientRect()
    clearInterval(edge)
    chart.pick(stage.iterationAt(event.clientX), "drag")
    const side = event.clientX < box.left ? -1 : event.clientX > box.right ? 1 : 0
    if (!side || !isZoomed()) return
    edge = setInterval(() => {
      const by = side * Math.max(1, EDGE_PAN * (stage.window[1] - stage.window[0]))
      chart.setWindow([stage.window[0] + by, stage.window[1] + by])
      chart.pick(side < 0 ? stage.window[0] : stage.window[1] - 1, "drag")
    }, EDGE_EVERY)
  }
}
