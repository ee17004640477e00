import assert from "node:assert/strict"
import { test } from "node:test"

import { meaning } from "../../../static/js/review/keyboard.js"
import { complaint, Refused, Sender } from "../../../static/js/review/sender.js"
import { duplicates } from "../../../static/js/keys.js"

const HOW = { singleKeys: true, dialog: false }
const at = (...selectors) => ({ matches: (wanted) => wanted.split(", ").some((one) => selectors.includes(one)) })
const press = (key, more = {}, how = {}) => meaning({ key, target: at(), ...more }, { ...HOW, ...how })

test("keys mean what the key map says", () => {
  assert.deepEqual(["j", "k", "a", "r", "x", "s", "c", "d", "p", "3", "Backspace", "ArrowRight", "z"].map((key) => press(key)), [
    "next", "previous", "accept", "look-again", "exclude", "skip", "note", "detectors", "present", "mark-3", "undo", "on-1", "zoom-mark",
  ])
  assert.deepEqual(duplicates("review"), [])
})

test("a key that is held decides once", () => {
  assert.equal(press("a", { repeat: true }), "")
  assert.equal(press("ArrowRight", { repeat: true }), "on-1")
})

test("letters belong to a field while one writes", () => {
  const target = at("textarea")
  assert.equal(press("a", { target }), "")
  assert.equal(press("Escape", { target }), "leave-field")
  assert.equal(press("Enter", { target, ctrlKey: true }), "send")
})

test("single letters can be switched off", () => {
  assert.equal(press("a", {}, { singleKeys: false }), "")
  assert.equal(press("Backspace", {}, { singleKeys: false }), "undo")
})

function sender(replies) {
  const sent = []
  const rests = []
  const made = new Sender(
    async (url, fields) => {
      sent.push([url, fields])
      return replies.shift()
    },
    async (seconds) => rests.push(seconds),
  )
  return { made, sent, rests }
}

test("what is taken back is sent after what it takes back", async () => {
  const order = []
  const made = new Sender(async (url, fields) => {
    order.push(`${fields[0][1]} goes`)
    await new Promise((done) => setTimeout(done, 5))
    order.push(`${fields[0][1]} is there`)
    return fields[0][1] === "no" ? { status: 409, body: { sentence: "No." } } : { status: 201, body: {} }
  })
  const refused = assert.rejects(made.send("/x/", [["kind", "no"]]), Refused)
  await Promise.all([refused, made.send("/x/", [["kind", "undo"]]), made.send("/y/", [["kind", "other"]])])

  assert.deepEqual(order.filter((each) => !each.startsWith("other")), ["no goes", "no is there", "undo goes", "undo is there"])
  assert.ok(order.indexOf("other goes") < order.indexOf("undo goes"))
  assert.equal(made.waiting, 0)
})

test("a decision that does not arrive is sent again, as the same one", async () => {
  const { made, sent, rests } = sender([{ status: 0 }, { status: 503 }, { status: 201, body: { sentence: "Accepted" } }])
  const waits = []
  made.onWait = (waiting, tries) => waits.push([waiting, tries])

  await made.send("/x/", [["client_id", "one"]])

  assert.deepEqual(sent.map(([, fields]) => fields[0][1]), ["one", "one", "one"])
  assert.deepEqual(rests, [1, 2])
  assert.deepEqual(waits, [[1, 1], [1, 2]])
  assert.equal(made.waiting, 0)
})

test("what the server refuses is not sent again, and said", async () => {
  const { made, sent } = sender([{ status: 409, body: { sentence: "First look is closed." } }])

  await assert.rejects(() => made.send("/x/", []), (error) => error instanceof Refused && error.message === "First look is closed.")
  assert.equal(sent.length, 1)
  assert.equal(made.waiting, 0)
})

test("a page of the sign-in is no answer", () => {
  assert.match(complaint({ status: 200, body: null }), /signed out, and nothing was stored/)
  assert.match(complaint({ status: 403, body: null }), /the server answered 403/)
})
