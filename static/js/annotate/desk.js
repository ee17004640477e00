// @ts-check
// The series on the desk: which one is shown, what is answered, what comes next. The page's one place of change.

import { namer } from "./ids.js";
import * as marks from "./marks.js";
import { address, forChart, kept, restore } from "./series.js";

/** @typedef {import("./series.js").Task} Task */
/** @typedef {import("./marks.js").State} State */

const WAITING_AFTER = 150 // ms before a missing series is mentioned

export class Desk {
  /** @type {Map<number, State>} what was done here, with its undo steps */
  states = new Map()
  /** @type {Task | null} */
  task = null
  ready = false
  /** @type {number[]} positions saved here, latest last */
  trail = []
  /** @type {Map<number, {id: string, answer: marks.Answer}>} */
  #recalled = new Map()
  #wanted = 0
  #idOf = namer()

  /** @param {any} parts chart, loupe, panel, screen, status, queue, ahead, outbox, drafts, timer, pace, urls, guideVersion */
  constructor(parts) {
    this.parts = parts
  }

  /** @returns {State} */
  get state() {
    return /** @type {State} */ (this.states.get(/** @type {Task} */ (this.task).position))
  }

  /** Shows a series; true once it is drawn. @param {number} position @param {{visit?: "push" | "replace" | "none"}} [how] */
  async open(position, { visit = "push" } = {}) {
    const { ahead, screen, chart } = this.parts
    this.#wanted = position
    this.ready = false
    const waiting = setTimeout(() => screen.wait(position), WAITING_AFTER)
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
      if (this.#wanted === position) screen.fail(position, /** @type {Error} */ (error))
      return false
    } finally {
      clearTimeout(waiting)
    }
  }

  /** @param {Task} task @param {"push" | "replace" | "none"} visit */
  #take(task, visit) {
    const { chart, drafts, screen, timer, urls, panel } = this.parts
    this.task = task
    const draft = drafts.find(this.address(), task.digest)
    const known = this.states.get(task.position)
    this.states.set(task.position, known ?? this.#fresh(task, draft?.answer ?? null))
    this.ready = true
    screen.show(task, visit, address(urls, "annotate-task", task.position))
    restore(chart, draft?.view)
    panel.draft(draft && !known ? `Draft from ${new Date(draft.when).toTimeString().slice(0, 5)}` : "")
    if (draft?.reason && !known) this.states.set(task.position, { ...this.state, phase: "refused", reason: draft.reason })
    this.render()
    timer.restart(screen.attended)
    this.#prepare()
  }

  /** A series not seen on this visit: what the server has of it, what is on its way, what was begun. @param {Task} task @param {marks.Answer | null} draft */
  #fresh(task, draft) {
    const sent = this.#recalled.get(task.position)
    if (!sent) return marks.open({ n: task.n, saved: task.mine, draft })
    const shown = marks.open({ n: task.n, saved: task.mine, draft: sent.answer })
    return marks.queued(shown, sent.id)
  }

  /** Fetch the next ones, draw the very next into the hidden stage. */
  async #prepare() {
    const { queue, ahead, chart, prefetch } = this.parts
    const here = /** @type {Task} */ (this.task).position
    const following = queue.ahead(here)
    ahead.prepare(following, [here, ...this.trail.slice(-1)])
    for (const position of following.slice(1, 3)) void ahead.get(position).then((/** @type {Task} */ task) => prefetch(forChart(task)), () => undefined)
    if (!following.length) return
    try {
      const next = await ahead.get(following[0])
      if (this.task?.position === here) await chart.prepare(forChart(next))
    } catch {
      // Not an error yet: it is said if the person gets there before the network does.
    }
  }

  address() {
    return this.addressOf(/** @type {Task} */ (this.task).position)
  }

  /** @param {number} position */
  addressOf(position) {
    return address(this.parts.urls, "annotate-task", position)
  }

  /** An answer of an earlier visit that is on its way. @param {any} entry */
  recall({ position, id, answer }) {
    this.#recalled.set(position, { id, answer })
  }

  /** A step of the person's. @param {(state: State) => State} step */
  change(step) {
    if (!this.ready) return
    const before = this.state
    const after = step(before)
    if (after === before) return
    this.states.set(/** @type {Task} */ (this.task).position, after)
    this.#keepDraft()
    this.render()
  }

  /** What is not saved outlives the page. */
  #keepDraft() {
    const { drafts, chart } = this.parts
    const { digest } = /** @type {Task} */ (this.task)
    if (marks.isChanged(this.state)) drafts.keep(this.address(), digest, { answer: this.state.answer, view: kept(chart.view) })
    else drafts.drop(this.address(), digest)
  }

  discard() {
    const { drafts, panel } = this.parts
    const task = /** @type {Task} */ (this.task)
    drafts.drop(this.address(), task.digest)
    this.states.set(task.position, marks.open({ n: task.n, saved: task.mine }))
    panel.draft("")
    this.render()
  }

  render() {
    const { chart, loupe, panel } = this.parts
    const { index } = this.state.answer
    chart.setMark(index)
    loupe.show(index)
    panel.render(this.state, /** @type {Task} */ (this.task).position)
  }

  /** Keeps the answer, shows the next series at once; a sentence if there is nothing to keep. */
  save() {
    if (!this.ready) return ""
    const problem = marks.obstacle(this.state)
    if (problem) return problem
    performance.mark("annotate-enter")
    const { position } = /** @type {Task} */ (this.task)
    if (marks.isChanged(this.state)) this.#send()
    this.parts.queue.finish(position)
    this.trail = [...this.trail.filter((each) => each !== position), position]
    this.next()
    return ""
  }

  #send() {
    const { outbox, drafts, chart, timer, urls, guideVersion, pace, status } = this.parts
    const task = /** @type {Task} */ (this.task)
    const { answer } = this.state
    const { kind, index, unsure, note } = answer
    const id = this.#idOf(JSON.stringify([task.position, answer, this.state.revision]))
    const view = kept(chart.view)
    const { seconds } = timer
    const body = {
      kind, index: index === null ? "" : String(index), unsure: unsure ? "on" : "", note, seconds: String(seconds), digest: task.digest,
      client_id: id, guide_version: String(guideVersion), view: JSON.stringify(view),
    }
    const here = this.address()
    this.states.set(task.position, marks.queued(this.state, id))
    pace.push(seconds)
    const label = `series ${task.position} · ${marks.describe(answer)}`
    status.unsent(status.waiting + 1)
    void outbox.add({ id, task: here, url: address(urls, "annotate-marks", task.position), position: task.position, label, answer, view, body }).then(() => {
      // Kept in the outbox now; a change made meanwhile is a draft of its own.
      const state = this.states.get(task.position)
      if (state && !marks.isChanged(state)) drafts.drop(here, task.digest)
    })
  }

  /** The next open series, or the end. */
  next() {
    const { queue, screen, status, pace } = this.parts
    const here = this.task?.position ?? 0
    status.progress(queue, pace)
    const position = queue.next(here)
    if (position === null) return screen.end(queue)
    return this.open(position)
  }

  /** An answer got to the server, here or in another tab. @param {number} position @param {string} id @param {number} revision */
  stored(position, id, revision) {
    this.parts.queue.finish(position)
    this.#settle(position, (state) => marks.stored(state, id, revision))
  }

  /** The server will not have it: its series is open again, the answer is a draft. @param {any} entry @param {string} reason */
  refused(entry, reason) {
    const { queue, drafts, status, pace, ahead } = this.parts
    drafts.keep(entry.task, entry.body.digest, { answer: entry.answer, view: entry.view, reason })
    queue.reopen(entry.position)
    ahead.forget(entry.position)
    status.progress(queue, pace)
    this.#settle(entry.position, (state) => marks.refused(state, entry.id, reason))
  }

  /** @param {number} position @param {(state: State) => State} step */
  #settle(position, step) {
    const state = this.states.get(position)
    if (!state) return
    this.states.set(position, step(state))
    if (this.task?.position === position && this.ready) this.render()
  }

  /** Forget what is known of a series that was replaced. @param {number} position */
  forget(position) {
    this.states.delete(position)
    this.parts.ahead.forget(position)
  }
}
