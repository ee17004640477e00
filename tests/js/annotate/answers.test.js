import assert from "node:assert/strict"
import { test } from "node:test"

import { RULE } from "../../../static/js/chart/range.js"
import { spans } from "../../../static/js/annotate/actions.js"
import { Answers } from "../../../static/js/annotate/answers.js"
import { entryOf } from "../../../static/js/annotate/entry.js"
import * as marks from "../../../static/js/annotate/marks.js"
import { loupeCentre } from "../../../static/js/annotate/magnifier.js"
import { phaseText, typedIndex } from "../../../static/js/annotate/panel.js"
import { address, keptView } from "../../../static/js/annotate/series.js"

const TASK = { position: 7, n: 100, digest: "d", mine: null }
const STEADY = { kind: "steady", index: 4, unsure: false, note: "" }
const URLS = { "annotate-task": "/s/one/campaigns/first/annotate/0/", "annotate-marks": "/s/one/campaigns/first/annotate/0/marks/" }

test("a series is shown as it was left on this visit, whatever the draft says", () => {
  const answers = new Answers()
  answers.open(TASK, null)
  answers.set(7, marks.never(answers.of(7)))

  assert.equal(answers.open(TASK, { answer: STEADY }).answer.kind, "never")
})

test("a series not yet seen shows the draft over what the server has", () => {
  const mine = { ...STEADY, index: 9, revision: 3 }

  const state = new Answers().open({ ...TASK, mine }, { answer: STEADY })

  assert.deepEqual([state.answer.index, state.kept.index, state.revision], [4, 9, 3])
})

test("an answer of an earlier visit that is on its way is shown as sent", () => {
  const answers = new Answers()
  answers.recall({ position: 7, id: "id-1", answer: STEADY })

  const state = answers.open(TASK, null)

  assert.deepEqual([state.phase, state.answer.index, marks.isChanged(state)], ["queued", 4, false])
  answers.settle(7, (before) => marks.stored(before, "id-1", 1))
  assert.equal(answers.of(7).phase, "saved")
})

test("a draft that was refused keeps its reason", () => {
  const state = new Answers().open(TASK, { answer: STEADY, reason: "It was closed." })

  assert.deepEqual([state.phase, state.reason], ["refused", "It was closed."])
})

test("a discarded draft leaves what the server has", () => {
  const answers = new Answers()
  answers.open(TASK, { answer: STEADY })

  answers.reopen(TASK)

  assert.equal(answers.of(7).answer.kind, "empty")
})

test("what is posted holds the answer, the values on the screen, and the view", () => {
  const entry = entryOf({ task: TASK, answer: { ...STEADY, index: 0, unsure: true, note: "GC?" }, id: "id-1", view: { from: 0, to: 100 }, seconds: 3.2, guideVersion: 2, urls: URLS })

  assert.equal(entry.url, "/s/one/campaigns/first/annotate/7/marks/")
  assert.equal(entry.label, "series 7 · steady from 0")
  assert.deepEqual(entry.body, {
    kind: "steady", index: "0", unsure: "on", difficulty: "", note: "GC?", seconds: "3.2", digest: "d", client_id: "id-1", guide_version: "2", view: '{"from":0,"to":100}',
  })
})

test("never has no iteration, which is not iteration 0", () => {
  const { body } = entryOf({ task: TASK, answer: { ...marks.EMPTY, kind: "never" }, id: "i", view: {}, seconds: 0, guideVersion: 1, urls: URLS })

  assert.deepEqual([body.kind, body.index], ["never", ""])
})

test("a typed number is an iteration of the series, or a sentence", () => {
  const sentence = "Series 13 has iterations 0 to 2999."

  assert.deepEqual(["0", " 2 999 ", "2\u2009999"].map((text) => typedIndex(text, 3000, 13).index), [0, 2999, 2999])
  assert.deepEqual(["3000", "-1", "3.5", "1e3", "x"].map((text) => typedIndex(text, 3000, 13).problem), Array(5).fill(sentence))
  assert.equal(typedIndex("0", 50, 13, 1).problem, "Series 13 can change at iterations 1 to 49.")
  assert.equal(typedIndex("1", 50, 13, 1).index, 1)
})

test("the panel says where the answer has got to", () => {
  const fresh = marks.open({ n: 10 })
  const sent = marks.queued(marks.place(fresh, 3), "id-1")
  const saved = marks.stored(sent, "id-1", 1)

  assert.equal(phaseText(fresh), "")
  assert.equal(phaseText(sent), "Not yet sent: steady from 3")
  assert.equal(phaseText(saved), "Saved: steady from 3")
  assert.equal(phaseText(marks.never(saved)), "Saved is steady from 3")
  assert.equal(phaseText(marks.refused(sent, "id-1", "It was closed.")), "It was closed.")
})

test("addresses are made for a position, and nothing else in them changes", () => {
  assert.equal(address({ a: "/s/annotate/campaigns/x/annotate/0/data/" }, "a", 12), "/s/annotate/campaigns/x/annotate/12/data/")
})

test("the kept view names the y-range as the server does", () => {
  const view = { from: 1, to: 9, mode: "full", log: true, width: 1176, ratio: 2, more: "is left out" }

  assert.deepEqual(keptView(view), { from: 1, to: 9, y: "full", rule: RULE, log: true, width: 1176, ratio: 2 })
})

test("positions are said as spans", () => {
  assert.equal(spans([1, 2, 3, 4]), "1 to 4")
  assert.equal(spans([2, 5, 6, 9]), "2, 5 to 6, 9")
})

test("the loupe stays while the mark moves a little, and follows a leap", () => {
  assert.equal(loupeCentre(null, 100), 100)
  assert.equal(loupeCentre(100, 130), 100)
  assert.equal(loupeCentre(100, 131), 131)
})
