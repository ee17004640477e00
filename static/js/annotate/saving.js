// Saving the answer that is shown: it is sent, the next series shown, and what became of it told.

import { namer } from "../shared/ids.js";
import { entryOf } from "./entry.js";
import * as marks from "./marks.js";
import { keptView } from "./series.js";

export class AnswerSaving {
  #idOf = namer()

  constructor(shown) {
    this.shown = shown
    this.parts = shown.parts
  }

  /** Keeps the answer, shows the next series at once; a sentence if there is nothing to keep. */
  save() {
    const { feedback } = this.parts
    const { shown } = this
    if (!shown.ready) return ""
    if (feedback?.locked) {
      if (feedback.shown) this.#goOn()
      return ""
    }
    const problem = marks.obstacle(shown.state)
    if (problem) return problem
    const { position } = shown.task
    const changed = marks.isChanged(shown.state)
    if (changed) this.#send()
    this.parts.queue.finish(position)
    shown.trail = [...shown.trail.filter((trailPosition) => trailPosition !== position), position]
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
    const { shown } = this
    const { answers, task, state } = shown
    const { sender, drafts, chart, timer, urls, guideVersion, pace, status } = this.parts
    const { answer, revision } = state
    const id = this.#idOf(JSON.stringify([task.position, answer, revision]))
    const { seconds } = timer
    const view = keptView(chart.view)
    const entry = entryOf({ task, answer, id, view, seconds, guideVersion, urls })
    answers.set(task.position, marks.queued(state, id))
    pace.push(seconds)
    status.unsent(status.waiting + 1)
    void sender.add(entry).then(() => {
      // Kept by the sender now; a change made meanwhile is a draft of its own.
      if (answers.has(task.position) && !marks.isChanged(answers.of(task.position)))
        drafts.drop(entry.task, task.digest)
    })
  }

  /** The next open series, or the end. */
  async next() {
    const { queue, screen, status, pace, urls } = this.parts
    status.progress(queue, pace)
    const position = queue.next(this.shown.position)
    if (position === null && urls.after) location.assign(urls.after)
    else if (position === null) screen.end(queue)
    else await this.shown.open(position)
  }

  /** An answer got to the server, here or in another tab. `known` comes in a training. */
  stored(position, id, revision, feedback) {
    this.parts.queue.finish(position)
    // Another tab's answer: what was fetched ahead of it is out of date.
    if (!this.shown.answers.has(position)) this.parts.ahead.forget(position)
    this.#settle(position, (state) => marks.stored(state, id, revision))
    if (feedback && this.shown.isAt(position)) this.parts.feedback?.show(feedback)
  }

  /** The server will not have it: its series is open again, the answer is a draft. */
  refused(entry, reason) {
    const { queue, drafts, status, pace, ahead } = this.parts
    drafts.keep(entry.task, entry.body.digest, { answer: entry.answer, view: entry.view, reason })
    this.parts.feedback?.hide()
    queue.reopen(entry.position)
    ahead.forget(entry.position)
    status.progress(queue, pace)
    this.#settle(entry.position, (state) => marks.refused(state, entry.id, reason))
  }

  #settle(position, step) {
    const { shown } = this
    if (shown.answers.settle(position, step) && shown.isAt(position)) shown.render()
  }

  /** Forget what is known of a series that was replaced. */
  forget(position) {
    this.shown.answers.forget(position)
    this.parts.ahead.forget(position)
  }
}
