import assert from "node:assert/strict"
import { test } from "node:test"

import * as marks from "../../../static/js/annotate/marks.js"

const fresh = (n = 3000) => marks.open({ n })

test("a click lands on the nearest iteration of the series, half-way up", () => {
  const at = (x) => marks.place(fresh(8), x).answer.index

  assert.deepEqual([-0.6, -0.5, 0.49, 0.5, 2.4, 2.5, 7.49, 99].map(at), [0, 0, 0, 1, 2, 3, 7, 7])
})

test("the first iteration, the last one and never are three answers", () => {
  const first = marks.place(fresh(), 0).answer
  const last = marks.place(fresh(), 2999).answer
  const never = marks.never(fresh()).answer

  assert.deepEqual([first.kind, first.index], ["steady", 0])
  assert.deepEqual([last.kind, last.index], ["steady", 2999])
  assert.deepEqual([never.kind, never.index], ["never", null])
  assert.ok(!marks.isSame(first, never) && !marks.isSame(first, marks.EMPTY) && !marks.isSame(last, never))
  assert.equal(marks.obstacle(marks.place(fresh(), 0)), "")
})

test("arrows move the mark, stop at the ends, and move nothing where there is no mark", () => {
  assert.equal(marks.move(marks.place(fresh(), 322), -1).answer.index, 321)
  assert.equal(marks.move(marks.place(fresh(), 5), -10).answer.index, 0)
  assert.equal(marks.move(marks.place(fresh(), 2950), 100).answer.index, 2999)
  assert.equal(marks.move(marks.never(fresh()), 1).answer.kind, "never")
})

test("a click after never or unclear is a mark again", () => {
  assert.equal(marks.place(marks.never(fresh()), 7).answer.index, 7)
  assert.equal(marks.place(marks.unclear(fresh()), 7).answer.kind, "steady")
})

test("unsure belongs to steady and never, and unclear takes it away", () => {
  const flagged = marks.toggleUnsure(marks.place(fresh(), 9))

  assert.equal(flagged.answer.unsure, true)
  assert.equal(marks.never(flagged).answer.unsure, true)
  assert.equal(marks.unclear(flagged).answer.unsure, false)
  assert.equal(marks.toggleUnsure(marks.unclear(fresh())).answer.unsure, false)
  assert.equal(marks.toggleUnsure(fresh()).answer.unsure, false)
})

test("nothing, and unclear without a note, say why they cannot be saved", () => {
  const unclear = marks.unclear(fresh())

  assert.equal(marks.obstacle(fresh()), "No answer yet: click, n or u.")
  assert.equal(marks.obstacle(unclear), "Say what makes it unclear; one sentence is enough.")
  assert.equal(marks.obstacle(marks.write(unclear, "  ")), marks.obstacle(unclear))
  assert.equal(marks.obstacle(marks.write(unclear, "Two levels.")), "")
})

test("taking back empties the answer, keeps the note, and can itself be undone", () => {
  const noted = marks.write(marks.place(fresh(), 40), "GC?")

  const back = marks.takeBack(noted)

  assert.deepEqual(back.answer, { ...marks.EMPTY, note: "GC?" })
  assert.equal(marks.undo(back).answer.index, 40)
})

test("undo and redo walk the steps; a new step ends redo", () => {
  const two = marks.place(marks.place(fresh(), 10), 20)

  const one = marks.undo(two)

  assert.equal(one.answer.index, 10)
  assert.equal(marks.redo(one).answer.index, 20)
  assert.equal(marks.undo(marks.undo(one)).answer.kind, "empty")
  assert.equal(marks.redo(marks.never(one)).answer.kind, "never")
})

test("fifty steps are kept, and a held key is one of them", () => {
  let state = marks.place(fresh(), 0)
  for (let i = 1; i <= 80; i++) state = marks.place(state, i)
  const held = marks.move(marks.move(marks.place(fresh(), 5), 1), 1, { joined: true })

  assert.equal(state.past.length, marks.STEPS)
  assert.equal(marks.undo(held).answer.index, 5)
})

test("a saved answer is unchanged until something changes", () => {
  const saved = marks.open({ n: 100, saved: { kind: "steady", index: 0, unsure: false, note: "", revision: 2 } })

  assert.equal(marks.isChanged(saved), false)
  assert.equal(marks.isChanged(marks.move(saved, 1)), true)
  assert.equal(marks.isChanged(marks.undo(marks.move(saved, 1))), false)
  assert.equal(marks.isChanged(marks.never(saved)), true)
})

test("a draft is shown over the saved answer, and counts as changed", () => {
  const saved = { kind: "never", index: null, unsure: false, note: "", revision: 1 }
  const state = marks.open({ n: 100, saved, draft: { kind: "steady", index: 4, unsure: true, note: "" } })

  assert.equal(state.answer.index, 4)
  assert.equal(marks.isChanged(state), true)
})

test("queued, saved, refused: the server's word on an older click changes nothing newer", () => {
  const first = marks.queued(marks.place(fresh(), 1), "id-1")
  const second = marks.queued(marks.place(first, 2), "id-2")

  assert.equal(marks.stored(first, "id-1", 1).phase, "saved")
  assert.equal(marks.stored(second, "id-1", 1).phase, "queued")
  assert.equal(marks.refused(second, "id-1", "closed").phase, "queued")
  assert.equal(marks.refused(second, "id-2", "closed").reason, "closed")
  assert.equal(marks.isChanged(marks.refused(second, "id-2", "closed")), true)
})

test("a note longer than the server takes is cut where it is typed", () => {
  assert.equal(marks.write(fresh(), "x".repeat(600)).answer.note.length, 500)
})

test("answers are said in words", () => {
  const words = [marks.place(fresh(), 0), marks.never(fresh()), marks.unclear(fresh()), fresh()]

  assert.deepEqual(words.map((state) => marks.describe(state.answer)), [
    "steady from 0", "never steady", "unclear", "no answer",
  ])
})

test("asked again, the same answer is one to be sent", () => {
  const saved = { kind: "steady", index: 90, unsure: false, note: "", revision: 1 }
  const state = marks.open({ n: 120, saved, again: true })
  assert.equal(state.answer.index, 90)
  assert.equal(marks.isChanged(state), true)
  assert.equal(marks.isChanged(marks.queued(state, "a")), false)
})
