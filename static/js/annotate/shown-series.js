// The series that is shown, and the answer that is being made of it.

import { Answers } from "./answers.js";
import * as marks from "./marks.js";
import { address, forChart, keptView, restore } from "./series.js";

/** @typedef {import("./series.js").Task} Task */
/** @typedef {import("./marks.js").State} State */

const WAITING_AFTER = 150 // ms before a missing series is mentioned
const FETCHED = 3 // whose values are here before they are asked for

export class ShownSeries {
  answers = new Answers()
  /** @type {Task} the one that is shown; none before the first */
  task
  ready = false
  /** @type {number[]} positions saved here, latest last */
  trail = []
  #wanted = 0

  /** @param {any} parts of the page, as annotate/page.js makes them */
  constructor(parts) {
    this.parts = parts
  }

  /** Position of the page's series, whose values may be still to come, or did not come. */
  get position() {
    return this.#wanted
  }

  isAt(position) {
    return this.ready && this.task.position === position
  }

  get state() {
    return this.answers.of(this.task.position)
  }

  /** Shows a series; true once it is drawn. @param {number} position
   * @param {{visit?: "push" | "replace" | "none"}} how */
  async open(position, { visit = "push" } = {}) {
    const { ahead, screen, chart } = this.parts
    this.#wanted = position
    this.ready = false
    const waitTimer = setTimeout(() => screen.wait(position), WAITING_AFTER)
    try {
      const task = await ahead.get(position)
      const focused = document.activeElement === chart.stage.surface
      await chart.show(forChart(task))
      if (this.#wanted !== position) return false
      this.#take(task, visit)
      // The surface that had the focus may be the hidden one now.
      if (focused) chart.stage.surface.focus({ preventScroll: true })
      return true
    } catch (error) {
      if (this.#wanted === position) screen.fail(position, error)
      return false
    } finally {
      clearTimeout(waitTimer)
    }
  }

  /** @param {Task} task @param {"push" | "replace" | "none"} visit */
  #take(task, visit) {
    const { chart, drafts, screen, timer, panel } = this.parts
    this.task = task
    const draft = drafts.find(this.address(), task.digest)
    const isNew = !this.answers.has(task.position)
    this.answers.open(task, draft)
    this.ready = true
    screen.show(task, visit, this.address())
    restore(chart, draft?.view)
    const beginTime = draft && isNew && new Date(draft.when).toTimeString().slice(0, 5)
    panel.draft(beginTime ? `Draft from ${beginTime}` : "")
    this.render()
    timer.restart(screen.attended)
    void this.parts.events?.(task.position)
    void this.#prepareNext(task)
  }

  /** Fetches the next series while one is read, and draws the very next one hidden. */
  async #prepareNext(task) {
    const { queue, ahead, chart, prefetch } = this.parts
    const following = queue.ahead(task.position)
    ahead.prepare(following, [task.position, ...this.trail.slice(-1)])
    for (const position of following.slice(1, FETCHED))
      ahead.get(position).then((task) => prefetch(forChart(task)), () => undefined)
    if (!following.length) return
    try {
      const nextTask = await ahead.get(following[0])
      if (this.task === task) await chart.prepare(forChart(nextTask))
    } catch {
      // Nothing is wrong yet: it is said if the person gets there before the network does.
    }
  }

  address(position = this.task.position) {
    return address(this.parts.urls, "annotate-task", position)
  }

  /** A step of the person's. @param {(state: State) => State} step */
  change(step) {
    if (!this.ready || this.parts.feedback?.locked) return
    const newState = step(this.state)
    if (newState === this.state) return
    this.answers.set(this.task.position, newState)
    this.#keepDraft()
    this.render()
  }

  /** Keeps an unsaved answer, which outlives the page. */
  #keepDraft() {
    const { drafts, chart } = this.parts
    const { digest } = this.task
    const draft = { answer: this.state.answer, view: keptView(chart.view) }
    if (marks.isChanged(this.state)) drafts.keep(this.address(), digest, draft)
    else drafts.drop(this.address(), digest)
  }

  discard() {
    this.parts.drafts.drop(this.address(), this.task.digest)
    this.answers.reopen(this.task)
    this.parts.panel.draft("")
    this.render()
  }

  render() {
    const { chart, loupe, panel } = this.parts
    const { index, changes } = this.state.answer
    chart.setMark(index, (changes ?? []).filter((position) => position !== index))
    // With a mark, arrows move the mark: a cursor left behind would be a second line.
    if (index !== null && chart.stage.cursor !== null) chart.setCursor(null)
    loupe.show(index)
    panel.render(this.state, this.task.position)
  }
}
