import assert from "node:assert/strict"
import { test } from "node:test"

import * as changes from "../../../static/js/annotate/changes.js"
import * as marks from "../../../static/js/annotate/marks.js"
import { pickMany } from "../../../static/js/annotate/clicks.js"

const of = (state) => [state.answer.kind, state.answer.changes, state.answer.index]
const opened = (n = 1000) => marks.open({ n })

test("each change is added in order, and keys move the last one", () => {
  const two = changes.add(changes.add(opened(), 500), 100)

  assert.deepEqual(of(two), ["changes", [100, 500], 100])
  assert.deepEqual(of(changes.move(two, 10)), ["changes", [110, 500], 110])
})

test("a change never lands on another one, before 1 or behind the end", () => {
  const two = changes.add(changes.add(opened(), 500), 501)

  assert.equal(changes.move(two, -1), two)
  assert.equal(changes.add(two, 500), two)
  assert.deepEqual(of(changes.add(opened(), -20)), ["changes", [1], 1])
  assert.deepEqual(of(changes.add(opened(), 5000)), ["changes", [999], 999])
  assert.equal(of(changes.add(opened(1), 0))[0], "empty")
})

test("the last one taken away leaves no answer; no change is an answer", () => {
  const one = changes.add(opened(), 5)

  assert.deepEqual(of(changes.takeBack(one)), ["empty", null, null])
  assert.deepEqual(of(changes.never(one)), ["changes", [], null])
  assert.equal(marks.obstacle(changes.never(one)), "")
  assert.notEqual(marks.obstacle(changes.takeBack(one)), "")
})

test("undo and redo go through changes, and a saved answer is the same whatever moved last", () => {
  const two = changes.add(changes.add(opened(), 500), 100)

  assert.deepEqual(of(marks.redo(marks.undo(two))), of(two))
  assert.deepEqual(marks.undo(marks.undo(marks.undo(two))).answer, marks.EMPTY)
  const saved = { ...two.answer, index: null, revision: 1 }
  assert.equal(marks.isChanged(marks.open({ n: 1000, saved })), false)
  assert.equal(marks.describe(two.answer), "change at 100, 500")
  assert.equal(marks.describe(changes.never(two).answer), "no change")
})

test("unclear takes the changes out of the answer, and undo brings them back", () => {
  const one = changes.add(opened(), 5)

  assert.equal(marks.unclear(one).answer.changes, null)
  assert.deepEqual(of(marks.undo(marks.unclear(one))), of(one))
})

/** A picker on a chart of 1000 iterations and 500 pixels: six pixels are twelve iterations. */
function picker() {
  const shown = { state: opened(), render: () => undefined }
  shown.change = (step) => { shown.state = step(shown.state) }
  const chart = { stage: { window: [0, 1000], plot: { width: 500 } } }
  const previews = []
  const preview = (index, others) => previews.push([index, others])
  return { shown, previews, pick: pickMany({ shown, chart, steps: changes, preview }) }
}

test("a click adds, and a click on a mark takes it away", () => {
  const { shown, pick } = picker()

  for (const index of [100, 300, 312]) pick(index, "click")

  assert.deepEqual(of(shown.state), ["changes", [100], 100])
})

test("a drag of the handle moves the last change, a finger elsewhere adds one", () => {
  const { shown, pick, previews } = picker()
  pick(100, "click")
  pick(300, "click")

  for (const [index, phase] of [[300, "grip"], [350, "drag"], [400, "drop"]]) pick(index, phase)
  assert.deepEqual(of(shown.state), ["changes", [100, 400], 400])
  assert.deepEqual(previews.at(-1), [350, [100]])

  for (const [index, phase] of [[700, "drag"], [705, "drag"], [710, "drop"]]) pick(index, phase)
  assert.deepEqual(of(shown.state), ["changes", [100, 400, 710], 710])
})

test("a drag takes no mark away, wherever it ends", () => {
  const { shown, pick } = picker()
  pick(100, "click")
  pick(300, "click")

  for (const [index, phase] of [[300, "grip"], [400, "drag"], [300, "drop"]]) pick(index, phase)
  assert.deepEqual(of(shown.state), ["changes", [100, 300], 300])

  for (const [index, phase] of [[700, "drag"], [105, "drag"], [105, "drop"]]) pick(index, phase)
  assert.deepEqual(of(shown.state), ["changes", [100, 105, 300], 105])

  for (const phase of ["drag", "drop"]) pick(300, phase)
  assert.deepEqual(of(shown.state), ["changes", [100, 105], 105])
})

test("what a second finger took back is no change, and the next touch begins anew", () => {
  const { shown, pick, previews } = picker()
  pick(100, "click")

  pick(700, "drag")
  pick(100, "back")
  assert.deepEqual(previews.at(-1), [100, []])
  for (const phase of ["drag", "drop"]) pick(800, phase)

  assert.deepEqual(of(shown.state), ["changes", [100, 800], 800])
})
