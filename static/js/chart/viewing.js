// @ts-check
// What of a series is in view: window, ranges, lines; and who is told when it was drawn anew.

import { reflect } from "./actions.js";
import { clamp } from "./view.js";
import { nextFrame, rested } from "./waiting.js";
import { Words } from "./words.js";

/** The window rests for so long before finer values are asked for. */
const REST = 100

export class Viewing {
  constructor(/** @type {HTMLElement} */ root, /** @type {Record<string, any>} */ options) {
    this.root = root
    this.options = { keys: "series", ...options }
    this.look = { ticks: options.ticks ?? true, lanes: options.lanes ?? (Number(root.dataset.chartLanes) || 1) }
    this.words = new Words(root)
    /** @type {Set<(stage: any) => void>} */
    this.drawn = new Set()
    /** @type {any} the Stage that is seen; Chart makes it */
    this.stage = null
    /** @type {string | null} line that is raised */
    this.raised = null
    this.redraw = nextFrame(() => this.drawNow())
    this.settle = rested(() => this.settled(), REST)
  }

  get n() {
    return this.stage.source?.n ?? 0
  }

  /** What is in view, to be kept with an answer. */
  get view() {
    const { window: [from, to], mode, log, plot } = this.stage
    return { from, to, mode, log, width: Math.round(plot?.width ?? 0), ratio: devicePixelRatio }
  }

  drawNow() {
    if (!this.stage.source) return
    this.stage.draw()
    this.root.querySelector("[data-chart-waiting]")?.remove()
    this.root.querySelector("[data-chart-stages]")?.classList.add("is-drawn")
    this.tell()
  }

  /** Words, buttons and whoever follows the window. */
  tell() {
    reflect(this.root, this)
    this.words.write(this.stage)
    if (this.raised) this.highlight(this.raised)
    for (const follow of this.drawn) follow(this.stage)
  }

  /** Calls back after every drawing, at once if there is one. Gives the way to stop. */
  onDraw(/** @type {(stage: Stage) => void} */ follow) {
    this.drawn.add(follow)
    if (this.stage.drawn) follow(this.stage)
    return () => this.drawn.delete(follow)
  }

  /** Pointing knows how. */
  highlight(/** @type {string | null} */ id) {
    this.raised = id
  }

  setWindow(/** @type {number} */ from, /** @type {number} */ to) {
    if (!this.n) return
    this.stage.window = clamp(from, to, this.n)
    this.stage.moving = true
    this.stage.overview?.setWindow(this.stage.window)
    this.redraw()
    this.settle()
  }

  /** The window rests: finer values where there are some, and the y-range of what is in view. */
  async settled() {
    const { stage } = this
    stage.moving = false
    const finer = await stage.source?.refine(...stage.window, stage.plot?.width ?? 1200).catch((error) => this.words.complain(error))
    if (stage === this.stage && (finer || stage.mode === "window")) this.redraw()
    this.options.onView?.(this.view)
  }

  setYMode(/** @type {"robust" | "window" | "full"} */ mode) {
    this.stage.mode = mode
    this.stage.moving = false
    this.redraw()
    this.settle()
  }

  setLog(/** @type {boolean} */ on) {
    this.stage.log = on && Boolean(this.stage.canLog)
    this.redraw()
    this.settle()
  }

  /** The whole series in its robust range. */
  whole() {
    this.stage.mode = "robust"
    this.setWindow(0, this.n)
  }

  setLines(/** @type {import("./overlay.js").Line[]} */ lines) {
    this.stage.lines = lines.filter((line) => Number.isInteger(line.index) && line.index >= 0)
    this.redraw()
  }

  /** Steps of an explanation over the data: [from, to, level] in the series' unit; null takes them away. */
  setLevels(/** @type {{pieces: [number, number, number][], slot?: number} | null} */ levels) {
    this.stage.levels = levels
    this.redraw()
  }

  /** Tints everything from an iteration on: "steady from here". */
  tint(/** @type {number | null} */ index) {
    this.stage.tint = index
    this.redraw()
  }

  /** Hides the figures of the axis where another panel below has them. */
  setTicks(/** @type {boolean} */ on) {
    this.look.ticks = on
    this.redraw()
  }
}
