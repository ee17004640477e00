// Actions of keys and buttons on a chart, by the names of the key map.

import { MODES, nextMode, pan, zoom } from "./view.js";

const AROUND_MARK = 100

const middle = (chart) => Math.round((chart.stage.window[0] + chart.stage.window[1] - 1) / 2)

/** Iteration around which a key zooms: mark or cursor if they are in view, else the middle. */
function centre(chart) {
  const [from, to] = chart.stage.window
  const positions = [chart.stage.marker.index, chart.stage.cursor]
    .find((position) => position !== null && position >= from && position < to)
  return positions ?? middle(chart)
}

const zoomBy = (chart, factor) =>
  chart.setWindow(...zoom(chart.stage.window, centre(chart), chart.n, factor))

const panBy = (chart, share) => {
  const { window } = chart.stage
  chart.setWindow(...pan(window, share * (window[1] - window[0]), chart.n))
}

const fromEntries = Object.fromEntries

export const ACTIONS = {
  range: (chart) => chart.setYMode(nextMode(chart.stage.mode)),
  ...fromEntries(MODES.map((mode) => [`range-${mode}`, (chart) => chart.setYMode(mode)])),
  log: (chart) => chart.setLog(!chart.stage.log),
  whole: (chart) => chart.whole(),
  "zoom-in": (chart) => zoomBy(chart, 1.5),
  "zoom-out": (chart) => zoomBy(chart, 1 / 1.5),
  "pan-left": (chart) => panBy(chart, -0.25),
  "pan-right": (chart) => panBy(chart, 0.25),
  "zoom-mark": (chart) => {
    const { marker, cursor, tint } = chart.stage
    const position = marker.index ?? cursor ?? tint ?? middle(chart)
    chart.setWindow(position - AROUND_MARK, position + AROUND_MARK + 1)
  },
  ...fromEntries([1, 10].flatMap((distance) => [
    [`back-${distance}`, (chart) => chart.moveCursor(-distance)],
    [`on-${distance}`, (chart) => chart.moveCursor(distance)]])),
  ...fromEntries(["png", "svg", "csv"].map((kind) =>
    [`download-${kind}`, (chart) => chart.download(kind)])),
}

/** Shows on the buttons of a chart what is on, and why one cannot be used. */
export function reflect(root, chart) {
  const { mode, log, canLog } = chart.stage
  for (const button of root.querySelectorAll("[data-chart-act]")) {
    const act = button.dataset.chartAct ?? ""
    if (act.startsWith("range-"))
      button.setAttribute("aria-pressed", String(act === `range-${mode}`))
    if (act === "range" && button.dataset.chartWord !== undefined) {
      button.textContent = mode[0].toUpperCase() + mode.slice(1)
      button.setAttribute("aria-label", `${button.textContent} y-range: change`)
    }
    if (act !== "log") continue
    button.setAttribute("aria-pressed", String(log))
    button.disabled = !canLog
    button.title = canLog ? "" : "Not possible: a value is zero or below"
  }
}
