// Lanes of events under a chart: they share its axis and follow its window.

import { html, linkButton, round, svg } from "../shared/elements.js";
import { countWords } from "../shared/format.js";
import { drawnPanel } from "./panels.js";
import { xOf } from "./scale.js";

/** Number of lanes that are open at first: more push the page away. */
const FIRST = 4
const HEIGHT = 14
const ROOM = 2

/**
 * @typedef {{kind: "bands" | "curve", label: string, unit: string, count: number, note: string,
 *   spans: [number, number][], x: number[], y: number[]}} Lane as the server gives it; spans are
 *   iterations [from, to), apart and rising
 */

/** One path for all spans in view, each at least a pixel wide, and no pixel twice.
 * @param {[number, number][]} spans @param {[number, number]} window */
export function spanPath(spans, window, px, height) {
  let text = ""
  let end = -Infinity
  for (const [from, to] of spans) {
    if (to <= window[0] || from >= window[1]) continue
    const pixel = Math.floor(px(from - 0.5))
    const right = Math.max(Math.ceil(px(to - 0.5)), pixel + 1)
    if (right <= end) continue
    const left = Math.max(pixel, end)
    text += `M${round(left)} 0h${round(right - left)}v${height}H${round(left)}z`
    end = right
  }
  return text
}

function drawnSpans(lane, { plot, window }) {
  const px = xOf({ left: 0, width: plot.width }, window)
  const inner = svg("svg", { x: plot.left, y: ROOM, width: plot.width, height: HEIGHT,
    overflow: "hidden" }, svg("path", { class: "event-span", d: spanPath(lane.spans, window, px,
    HEIGHT) }))
  return svg("svg", { class: "evidence-plot", width: plot.stage, height: HEIGHT + 2 * ROOM,
    "aria-hidden": "true" }, inner)
}

export class EventLanes {
  /** @param {HTMLElement} host */
  constructor(host, chart) {
    this.host = host
    this.chart = chart
    this.lanes = []
    chart.onDraw((stage) => this.draw(stage))
  }

  /** Shows these lanes instead of those before. @param {Lane[]} lanes */
  show(lanes) {
    this.lanes = lanes.map((lane, index) => this.laneOf(lane, index < FIRST))
    this.host.replaceChildren(...this.lanes.map(({ section }) => section))
    if (this.chart.stage?.drawn) this.draw(this.chart.stage)
  }

  laneOf(lane, isOpen) {
    const host = html("div", { hidden: !isOpen })
    const button = linkButton(lane.label, () => {
      host.hidden = !host.hidden
      button.setAttribute("aria-pressed", String(!host.hidden))
      if (this.chart.stage?.drawn) this.draw(this.chart.stage)
    })
    button.setAttribute("aria-pressed", String(isOpen))
    const words = [lane.kind === "bands" ? countWords(lane.count, "event") : lane.unit, lane.note]
    const line = html("div", { class: "evidence-line" }, button,
      html("span", { class: "small quiet" }, words.filter(Boolean).join(" · ")))
    const section = html("section", { class: "evidence", "aria-label": lane.label }, line, host)
    return { lane, place: host, section }
  }

  draw({ plot, window, source, element }) {
    // On a phone a chart may reach over the edges of its figure: lanes begin where it does
    const { left } = element.getBoundingClientRect()
    const shift = left - this.host.getBoundingClientRect().left
    for (const { lane, place } of this.lanes) {
      if (place.hidden) continue
      place.style.marginLeft = `${shift}px`
      const frame = { plot, window, n: source.n, ticks: false }
      place.replaceChildren(lane.kind === "bands" ? drawnSpans(lane, frame)
        : drawnPanel(lane, frame))
    }
  }
}
