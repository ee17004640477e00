import assert from "node:assert/strict"
import { test } from "node:test"

import { actionsOf } from "../../../static/js/annotate/actions.js"
import { entryOf } from "../../../static/js/annotate/entry.js"
import * as marks from "../../../static/js/annotate/marks.js"
import { Queue } from "../../../static/js/annotate/queue.js"
import { AnswerSaving } from "../../../static/js/annotate/saving.js"
import { ShownSeries } from "../../../static/js/annotate/shown-series.js"

const nothing = () => undefined
const task = (position) => ({ position, digest: `d${position}`, n: 9, mine: null })
const settled = () => new Promise(setImmediate)

/** Stands for the feedback: shown once told, locked by the page. */
const told = () => ({ locked: false, shown: false, show(known) { this.known = known; this.shown = true }, hide() { this.locked = this.shown = false } })

/** A page of series 1 to 3 whose first is shown. */
async function pageWith(more) {
  globalThis.document ??= { activeElement: null }
  const sent = []
  const parts = {
    queue: new Queue([1, 2, 3].map((position) => ({ position, done: false, skipped: 0 }))),
    ahead: { get: async (at) => task(at), prepare: nothing, forget: nothing },
    chart: { stage: { cursor: null, surface: {}, window: [0, 9] }, show: async () => undefined, prepare: async () => undefined, setMark: nothing, view: {} },
    screen: { wait: nothing, show: nothing, end: nothing, fail: (_, error) => { throw error } },
    sender: { add: async (entry) => sent.push(entry) },
    drafts: { find: () => null, keep: nothing, drop: nothing },
    panel: { draft: nothing, render: nothing, commit: nothing, complain: nothing },
    status: { progress: nothing, unsent: nothing, waiting: 0, say: nothing },
    steps: marks, loupe: { show: nothing }, timer: { restart: nothing, seconds: 1 }, prefetch: nothing, pace: [], guideVersion: 1,
    urls: { "annotate-task": "/annotate/0/", "annotate-marks": "/annotate/0/marks/" },
    ...more,
  }
  const shown = new ShownSeries(parts)
  const saving = new AnswerSaving(shown)
  await shown.open(1)
  return { shown, saving, sent, actions: actionsOf(saving) }
}

test("in a screening one key answers, without an iteration, and goes on", async () => {
  const { shown, saving, sent, actions } = await pageWith({ screening: true })

  actions.mark()
  await settled()
  actions.never()
  await settled()

  assert.deepEqual(sent.map(({ body }) => [body.kind, body.index]), [["steady", ""], ["never", ""]])
  assert.equal(sent[0].label, "series 1 · steady")
  assert.equal(shown.position, 3)
})

test("in a campaign never waits for being saved", async () => {
  const { shown, saving, sent, actions } = await pageWith({})

  actions.never()

  assert.deepEqual([sent.length, shown.position, shown.state.answer.kind], [0, 1, "never"])
})

test("in a training an answer is locked until what is known was read", async () => {
  const feedback = told()
  const { shown, saving, sent, actions } = await pageWith({ feedback })
  actions.never()

  actions.save()
  actions.unsure()
  actions.save()

  assert.deepEqual([sent.length, shown.position, feedback.locked, feedback.shown], [1, 1, true, false])
  assert.equal(shown.state.answer.unsure, false)

  saving.stored(1, sent[0].id, 1, { verdict: "Known: steady.", why: "One step.", low: 3, high: 5 })
  assert.equal(feedback.known.low, 3)
  actions.save()
  await settled()

  assert.deepEqual([shown.position, feedback.locked], [2, false])
})

test("a refused answer of a training can be mended", async () => {
  const feedback = told()
  const { shown, saving, sent, actions } = await pageWith({ feedback })
  actions.never()
  actions.save()

  saving.refused(sent[0], "The campaign is closed.")

  assert.deepEqual([feedback.locked, shown.state.phase], [false, "refused"])
})

test("difficulty belongs to the answer, and the same key takes it back", async () => {
  const { shown, actions } = await pageWith({ difficulty: true })
  actions.never()
  actions["difficulty-4"]()
  const { answer } = shown.state

  assert.equal(entryOf({ task: task(1), answer, id: "i", view: {}, seconds: 1, guideVersion: 1, urls: shown.parts.urls }).body.difficulty, "4")
  assert.ok(!marks.isSame(answer, { ...answer, difficulty: 5 }))
  assert.ok(marks.isChanged(shown.state))
  actions["difficulty-4"]()
  assert.equal(shown.state.answer.difficulty, null)
})

test("where it is not asked its keys do nothing", async () => {
  const { shown, actions } = await pageWith({})

  actions["difficulty-4"]()

  assert.equal(shown.state.answer.difficulty, null)
})
