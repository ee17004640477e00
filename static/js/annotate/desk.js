// @ts-check
// The page's one place of change: an answer is saved, the next series shown, and what became of it is told.

import { entryOf } from "./entry.js";
import { namer } from "./ids.js";
import * as marks from "./marks.js";
import { kept } from "./series.js";
import { Showing } from "./showing.js";

/** @typedef {import("./marks.js").State} State */

export class Desk extends Showing {
  #idOf = namer()

  /** Keeps the answer, shows the next series at once; a sentence if there is nothing to keep. */
  save() {
    const { feedback } = this.parts
    if (!this.ready) return ""
    if (feedback?.locked) {
      if (feedback.shown) this.#goOn()
      return ""
    }
    const problem = marks.obstacle(this.state)
    if (problem) return problem
    const { position } = this.task
    const changed = marks.isChanged(this.state)
    if (changed) this.#send()
    this.parts.queue.finish(position)
    this.trail = [...this.trail.filter((each) => each !== position), position]
    if (changed && feedback) feedback.locked = true
    else void this.next()
    return ""
  }

  /** The feedback was read. */
  #goOn() {
    this.parts.feedback.hide()
    void this.next()
  }

  #send() {
    const { outbox, drafts, chart, timer, urls, guideVersion, pace, status } = this.parts
    const { task, state: { answer, revision } } = this
    const id = this.#idOf(JSON.stringify([task.position, answer, revision]))
    const { seconds } = timer
    const entry = entryOf({ task, answer, id, view: kept(chart.view), seconds, guideVersion, urls })
    this.answers.set(task.position, marks.queued(this.state, id))
    pace.push(seconds)
    status.unsent(status.waiting + 1)
    void outbox.add(entry).then(() => {
      // Kept in the outbox now; a change made meanwhile is a draft of its own.
      if (this.answers.has(task.position) && !marks.isChanged(this.answers.of(task.position))) drafts.drop(entry.task, task.digest)
    })
  }

  /** The next open series, or the end. */
  async next() {
    const { queue, screen, status, pace, urls } = this.parts
    status.progress(queue, pace)
    const position = queue.next(this.position)
    if (position === null && urls.after) location.assign(urls.after)
    else if (position === null) screen.end(queue)
    else await this.open(position)
  }

  /** An answer got to the server, here or in another tab. @param {number} position @param {string} id @param {number} revision @param {import("./feedback.js").Known} [known] in a training */
  stored(position, id, revision, known) {
    this.parts.queue.finish(position)
    // Another tab's answer: what was fetched ahead of it is out of date.
    if (!this.answers.has(position)) this.parts.ahead.forget(position)
    this.#settle(position, (state) => marks.stored(state, id, revision))
    if (known && this.ready && this.task.position === position) this.parts.feedback?.show(known)
  }

  /** The server will not have it: its series is open again, the answer is a draft. @param {any} entry @param {string} reason */
  refused(entry, reason) {
    const { queue, drafts, status, pace, ahead } = this.parts
    drafts.keep(entry.task, entry.body.digest, { answer: entry.answer, view: entry.view, reason })
    this.parts.feedback?.hide()
    queue.reopen(entry.position)
    ahead.forget(entry.position)
    status.progress(queue, pace)
    this.#settle(entry.position, (state) => marks.refused(state, entry.id, reason))
  }

  /** @param {number} position @param {(state: State) => State} step */
  #settle(position, step) {
    if (this.answers.settle(position, step) && this.ready && this.task.position === position) this.render()
  }

  /** Forget what is known of a series that was replaced. @param {number} position */
  forget(position) {
    this.answers.forget(position)
    this.parts.ahead.forget(position)
  }
}
