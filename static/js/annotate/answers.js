// The answers of one visit by series: on the screen, sent or refused, with undo steps. Pure.

import * as marks from "./marks.js";

/** @typedef {import("./marks.js").State} State */
/** @typedef {import("./marks.js").Answer} Answer */
/**
 * @typedef {{position: number, n: number, mine: (Answer & {revision: number}) | null, question?:
 *   string}} Task
 */

export class Answers {
  /** @type {Map<number, State>} */
  #states = new Map()
  /** @type {Map<number, {id: string, answer: Answer}>} */
  #recalled = new Map()

  has(position) {
    return this.#states.has(position)
  }

  /** @returns {State} */
  of(position) {
    return /** @type {State} */ (this.#states.get(position))
  }

  set(position, state) {
    this.#states.set(position, state)
  }

  /** Opens a series with the answer of this visit; else with that of the server, or its draft. */
  open(task, draft) {
    if (!this.has(task.position)) this.set(task.position, this.#fresh(task, draft))
    return this.of(task.position)
  }

  /** Opens a series with the server's answer: the draft is discarded. @param {Task} task */
  reopen(task) {
    this.set(task.position,
      marks.open({ n: task.n, saved: task.mine, again: Boolean(task.question) }))
  }

  /** An answer of an earlier visit that is on its way. */
  recall({ position, id, answer }) {
    this.#recalled.set(position, { id, answer })
  }

  /** Settles a sent answer; true if its series is known here.
   * @param {(state: State) => State} step */
  settle(position, step) {
    this.#recalled.delete(position)
    if (!this.has(position)) return false
    this.set(position, step(this.of(position)))
    return true
  }

  forget(position) {
    this.#states.delete(position)
    this.#recalled.delete(position)
  }

  /** @param {Task} task @param {{answer: Answer, reason?: string} | null} draft @returns {State} */
  #fresh(task, draft) {
    const recalledAnswer = this.#recalled.get(task.position)
    const state = marks.open({ n: task.n, saved: task.mine, again: Boolean(task.question),
      draft: recalledAnswer?.answer ?? draft?.answer ?? null })
    if (recalledAnswer) return marks.queued(state, recalledAnswer.id)
    return draft?.reason ? { ...state, phase: "refused", reason: draft.reason } : state
  }
}
