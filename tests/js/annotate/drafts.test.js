import assert from "node:assert/strict"
import { test } from "node:test"

import { Drafts } from "../../../static/js/annotate/drafts.js"
import { FakeStorage } from "../shared/fakes.js"

const ANSWER = { kind: "steady", index: 0, unsure: false, note: "" }
const NOON = () => new Date("2025-03-14T12:00:00Z")

test("a draft comes back for the same person, series and digest, and for no other", () => {
  const storage = new FakeStorage()
  new Drafts(storage, "ana", NOON).keep("/a/1/", "d1", { answer: ANSWER, view: { from: 0, to: 9 } })

  const found = new Drafts(storage, "ana").find("/a/1/", "d1")

  assert.deepEqual(found, { answer: ANSWER, view: { from: 0, to: 9 }, when: "2025-03-14T12:00:00.000Z" })
  assert.equal(new Drafts(storage, "ben").find("/a/1/", "d1"), null)
  assert.equal(new Drafts(storage, "ana").find("/a/1/", "d2"), null)
  assert.equal(new Drafts(storage, "ana").find("/a/2/", "d1"), null)
})

test("a dropped draft is gone", () => {
  const drafts = new Drafts(new FakeStorage(), "ana")
  drafts.keep("/a/1/", "d1", { answer: ANSWER, view: null })

  drafts.drop("/a/1/", "d1")

  assert.equal(drafts.find("/a/1/", "d1"), null)
})

test("drafts older than a month are swept, and nothing else is", () => {
  const storage = new FakeStorage()
  storage.setItem("somebody-else", "stays")
  new Drafts(storage, "ana", () => new Date("2025-01-01T00:00:00Z")).keep("/a/1/", "d", { answer: ANSWER, view: null })
  const drafts = new Drafts(storage, "ana", NOON)
  drafts.keep("/a/2/", "d", { answer: ANSWER, view: null })

  drafts.sweep()

  assert.equal(drafts.find("/a/1/", "d"), null)
  assert.deepEqual(drafts.find("/a/2/", "d").answer, ANSWER)
  assert.equal(storage.getItem("somebody-else"), "stays")
})

test("a full or forbidden storage keeps nothing, and says so", () => {
  const full = new FakeStorage({ full: true })

  assert.equal(new Drafts(full, "ana").keep("/a/1/", "d", { answer: ANSWER, view: null }), false)
  assert.equal(new Drafts(null, "ana").keep("/a/1/", "d", { answer: ANSWER, view: null }), false)
  assert.equal(new Drafts(null, "ana").find("/a/1/", "d"), null)
})

test("a draft that is cut off is no draft", () => {
  const storage = new FakeStorage()
  storage.setItem("plateau:draft:ana:/a/1/:d", '{"answer":')

  assert.equal(new Drafts(storage, "ana").find("/a/1/", "d"), null)
})
