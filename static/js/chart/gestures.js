// Pointer, wheel and touch on a chart's surface. A press that moves four pixels is a drag.

import { html } from "../shared/elements.js";
import { movedIndex, pulse, gripIndex } from "./touch-mark.js";
import { pan, zoom } from "./view.js";

const STILL = 4
/** A dragged mark at the edge moves the window by a twentieth every tenth of a second. */
const EDGE_PAN = 0.05
const EDGE_EVERY = 100

/** @param {import("./stage.js").Stage} stage @param {any} chart gives setWindow, hover(index),
 * pick(index, phase), and where fingers place marks touch(event), null when lifted */
export function connectGestures(stage, chart) {
  const { surface, marker } = stage
  const pointers = new Map()
  /** x, window, moved, gap, kind ("press", "mark", "range", "touch"), from, mark before; or null */
  /** @type {any} */ let drag = null
  let edge

  const perPixel = () => (stage.window[1] - stage.window[0]) / surface.clientWidth
  const isZoomed = () => stage.window[1] - stage.window[0] < (stage.source?.n ?? 0)
  const gap = () => {
    const [a = 0, b = 0] = pointers.values()
    return Math.max(8, Math.abs(a - b))
  }
  const centre = () => [...pointers.values()].reduce((a, b) => a + b, 0) / pointers.size
  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !stage.drawn || event.target === marker.away) return
    if (drag?.kind === "touch") giveBack() // a second finger: both move the window
    pointers.set(event.pointerId, event.clientX)
    surface.setPointerCapture(event.pointerId)
    const isFinger = chart.touch && event.pointerType === "touch" && pointers.size === 1
    const kind = isFinger ? "touch" : event.target === marker.handle ? "mark"
      : event.shiftKey ? "range" : "press"
    const index = stage.iterationAt(event.clientX)
    drag = { x: event.clientX, window: stage.window, moved: pointers.size > 1, kind, gap: gap(),
      centre: centre(), mark: marker.index, from: gripIndex(index, marker.index, perPixel()) }
    if (kind === "mark") chart.pick(marker.index, "grip")
    if (kind !== "touch") return chart.hover(index)
    chart.touch(event)
    chart.pick(drag.from, "drag")
  })

  surface.addEventListener("pointermove", (event) => {
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event.clientX)
    const index = stage.iterationAt(event.clientX)
    if (!drag) return chart.hover(index)
    if (pointers.size > 1) return pinch()
    if (drag.kind === "touch") return moveTouch(event)
    if (Math.abs(event.clientX - drag.x) > STILL) drag.moved = true
    if (drag.kind === "mark") return dragMark(event)
    chart.hover(index)
    if (!drag.moved) return
    if (drag.kind === "range") band(event.clientX)
    else if (isZoomed()) {
      const distance = (drag.x - event.clientX) * perPixel()
      chart.setWindow([drag.window[0] + distance, drag.window[1] + distance])
    }
  })

  surface.addEventListener("pointerup", (event) => {
    const was = drag
    const to = was?.kind === "touch"
      ? movedIndex(was.from, event.clientX - was.x, stage.source.n) : 0
    release(event)
    if (was?.kind === "touch") chart.touch(null)
    if (!was || event.button !== 0 || pointers.size) return
    const index = stage.iterationAt(event.clientX)
    if (was.kind === "touch") chart.pick(to, "drop")
    else if (was.kind === "mark") chart.pick(index, "drop")
    else if (!was.moved) chart.pick(index, "click")
    else if (was.kind === "range") chart.setWindow(edgesUnder(was.x, event.clientX))
  })

  surface.addEventListener("pointercancel", (event) => {
    // The browser took the touch for scrolling: whatever it did so far is no answer.
    if (drag?.kind === "press") chart.setWindow(drag.window)
    if (drag?.kind === "touch") giveBack()
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

  function moveTouch(event) {
    const to = movedIndex(drag.from, event.clientX - drag.x, stage.source.n)
    if (to !== marker.index) pulse()
    chart.touch(event)
    chart.pick(to, "drag")
  }

  /** Cancels a finger's gesture: the mark is back in its place. */
  function giveBack() {
    chart.touch(null)
    chart.pick(drag.mark, "back")
    drag.kind = "press"
  }

  /** Two fingers zoom around the place between them, and take it along. */
  function pinch() {
    if (!drag) return
    drag.moved = true
    const { n } = stage.source
    const shifted = pan(drag.window, Math.round((drag.centre - centre()) * perPixel()), n)
    chart.setWindow(zoom(shifted, stage.iterationAt(centre()), n, gap() / drag.gap))
  }

  function edgesUnder(x, y) {
    const [from, to] = [stage.iterationAt(Math.min(x, y)), stage.iterationAt(Math.max(x, y)) + 1]
    return [from, to]
  }

  function band(x) {
    const box = surface.getBoundingClientRect()
    const bandNode = surface.querySelector(".chart-band")
      ?? surface.appendChild(html("div", { class: "chart-band" }))
    const [from, to] = [Math.max(0, Math.min(drag?.x ?? x, x) - box.left),
      Math.min(box.width, Math.max(drag?.x ?? x, x) - box.left)]
    Object.assign(bandNode.style, { left: `${from}px`, width: `${to - from}px` })
  }

  function dragMark(event) {
    const box = surface.getBoundingClientRect()
    clearInterval(edge)
    chart.pick(stage.iterationAt(event.clientX), "drag")
    const side = event.clientX < box.left ? -1 : event.clientX > box.right ? 1 : 0
    if (!side || !isZoomed()) return
    edge = setInterval(() => {
      const distance = side * Math.max(1, EDGE_PAN * (stage.window[1] - stage.window[0]))
      chart.setWindow([stage.window[0] + distance, stage.window[1] + distance])
      chart.pick(side < 0 ? stage.window[0] : stage.window[1] - 1, "drag")
    }, EDGE_EVERY)
  }
}
