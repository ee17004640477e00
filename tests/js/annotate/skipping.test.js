import assert from "node:assert/strict"
import { test } from "node:test"

import { actionsOf } from "../../../static/js/annotate/actions.js"
import { Queue } from "../../../static/js/annotate/queue.js"
import { AnswerSaving } from "../../../static/js/annotate/saving.js"
import { ShownSeries } from "../../../static/js/annotate/shown-series.js"

const task = (position) => ({ position, digest: `d${position}`, n: 9, mine: null })
const nothing = () => undefined

/** A desk of series 1 to 3, of which those of `missing` do not arrive. */
function pageWith(missing) {
  const said = { failed: [], skipped: [] }
  const parts = {
    queue: new Queue([1, 2, 3].map((position) => ({ position, done: position === 1, skipped: 0 }))),
    ahead: { get: async (at) => { if (missing.includes(at)) throw new Error("network"); return task(at) }, prepare: nothing },
    chart: { stage: { cursor: null }, show: async () => undefined, prepare: async () => undefined, setMark: nothing },
    screen: { wait: nothing, show: nothing, end: nothing, fail: (at) => said.failed.push(at), face: "series" },
    asides: { send: (url) => said.skipped.push(url) },
    skipUrl: (at) => `/annotate/${at}/skips/`,
    drafts: { find: () => null },
    panel: { draft: nothing, render: nothing },
    loupe: { show: nothing }, timer: { restart: nothing }, status: { progress: nothing }, prefetch: nothing, pace: [],
    urls: { "annotate-task": "/annotate/0/" },
  }
  const shown = new ShownSeries(parts)
  return { shown, saving: new AnswerSaving(shown), said }
}

test("a series that did not arrive is the one that is skipped", async () => {
  globalThis.document ??= { activeElement: null }
  const { shown, saving, said } = pageWith([2])
  await shown.open(1)
  await saving.next()
  assert.deepEqual([said.failed, shown.position], [[2], 2])

  actionsOf(saving).skip()
  await new Promise(setImmediate)

  assert.deepEqual([said.skipped, shown.task.position], [["/annotate/2/skips/"], 3])
})
