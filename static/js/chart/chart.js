// The chart of a series: what a page may ask of it.

import { nextFrame } from "../shared/waiting.js";
import { ACTIONS, reflect } from "./actions.js";
import { connectGestures } from "./gestures.js";
import { connectKeys } from "./keyboard.js";
import { Pointing } from "./pointing.js";
import { Stages } from "./stages.js";
import { reveal } from "./view.js";
import { Viewing } from "./viewing.js";
import { Words } from "./words.js";

export class Chart {
  #followers = new Set()

  /**
   * @param {HTMLElement} root the figure of _chart.html
   * @param {{onPick?: (index: number, phase: import("./pointing.js").Phase) => void,
   *   onTouch?: (event: PointerEvent | null) => void, onCursor?: Function, onLine?: Function,
   *   onAnswer?: (id: string | null, isKept: boolean) => void, keys?: string | null,
   *   markWord?: string,
   *   parts?: typeof import("./overlay.js"), strip?: typeof import("./strip-parts.js")}} options
   *   parts: overlay.js, for a page with lines; strip: strip-parts.js, where the figure has
   *   data-chart-strip; markWord: what stands before the iteration of the own mark
   *   keys: scope of the key map, null for a page that asks `act` itself
   */
  constructor(root, options = {}) {
    this.root = root
    this.options = { keys: "series", ...options }
    const lanes = Number(root.dataset.chartLanes) || 1
    const strip = root.dataset.chartStrip === undefined ? null : options.strip
    const { parts, markWord } = options
    this.look = { ticks: true, lanes, parts, strip, markWord }
    this.words = new Words(root)
    this.viewing = new Viewing(this)
    this.pointing = new Pointing(this)
    /** @returns {any} */
    const part = (name) => root.querySelector(`[data-chart-${name}]`)
    this.places = { stages: part("stages"), overview: part("overview") }
    this.redraw = nextFrame(() => this.drawNow())
    this.stages = new Stages(this.places, this.look, (stage) => this.connect(stage), this.redraw)
    connectKeys(this)
  }

  setWindow = (from, to) => this.viewing.setWindow(from, to)
  setYMode = (mode) => this.viewing.setYMode(mode)
  setLog = (on) => this.viewing.setLog(on)
  setLines = (lines) => this.viewing.setLines(lines)
  /** Steps over the data: [from, to, level] in the series' unit; null takes them away. */
  setLevels = (levels) => this.viewing.change({ levels })
  /** Dotted lines through the plot: iterations of each, in the colour of a method's slot. */
  setEvents = (events) => this.viewing.change({ events })
  setTicks = (on) => this.viewing.setTicks(on)
  /** Answers without a line, as symbols under the plot. @type {(strip: any) => void} */
  setAnswers = (strip) => this.viewing.change({ strip })
  whole = () => this.viewing.whole()
  /** Tints everything from an iteration on: "steady from here". */
  tint = (index) => this.viewing.change({ tint: index })
  setMark = (index, otherMarks) => this.pointing.setMark(index, otherMarks)
  setHover = (index) => this.pointing.setHover(index)
  setCursor = (index) => this.pointing.setCursor(index)
  moveCursor = (distance) => this.pointing.moveCursor(distance)
  highlight = (id) => this.pointing.highlight(id)
  peek = (answer) => this.pointing.peek(answer)

  connect(stage) {
    const setWindow = ([from, to]) => this.setWindow(from, to)
    const pick = (index, phase) => this.options.onPick?.(index, phase)
    connectGestures(stage, { setWindow, hover: this.setHover, pick, touch: this.options.onTouch })
    const { marker } = stage
    marker.away.addEventListener("click", () =>
      setWindow(reveal(stage.window, marker.index, this.n)))
    if (stage.overview) stage.overview.onWindow = setWindow
  }

  /** The stage that is seen. */
  get stage() {
    return this.stages.shown
  }

  get n() {
    return this.stage.source?.n ?? 0
  }

  get view() {
    return this.viewing.view
  }

  /** Shows a series: at once if it was prepared, else when its values are there. */
  async show(series) {
    const shownAs = await this.stages.show(series)
    if (shownAs === "prepared") this.tell()
    if (shownAs === "taken") this.drawNow()
  }

  prepare(series) {
    return this.stages.prepare(series)
  }

  drawNow() {
    if (!this.stage.source) return
    this.stage.draw()
    this.root.querySelector("[data-chart-waiting]")?.remove()
    this.places.stages.classList.add("is-drawn")
    this.tell()
  }

  /** Words, buttons and whoever follows the window. */
  tell() {
    reflect(this.root, this)
    this.words.write(this.stage)
    if (this.pointing.raised) this.highlight(this.pointing.raised)
    for (const follow of this.#followers) follow(this.stage)
  }

  /** Calls back after every drawing, at once if there is one. Gives the way to stop. */
  onDraw(follow) {
    this.#followers.add(follow)
    if (this.stage.drawn) follow(this.stage)
    return () => this.#followers.delete(follow)
  }

  /** Does what a key or button of that name does; false when it is none of the chart's. */
  act(action) {
    if (!this.n || !Object.hasOwn(ACTIONS, action)) return false
    ACTIONS[action](this)
    return true
  }

  /** Loads the maker of files with the first file. */
  async download(/** @type {"png" | "svg" | "csv"} */ kind) {
    try {
      const { download } = await import("./download.js")
      await download(this.stage, kind, this.root.dataset.chartName || "series")
    } catch (error) {
      this.words.complain(error)
    }
  }
}

/** A chart in its figure; with a series, drawn as soon as the values are there. */
export const createChart = (root, options) => new Chart(root, options)
