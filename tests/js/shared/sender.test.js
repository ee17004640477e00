import assert from "node:assert/strict"
import { test } from "node:test"

import { outcomeOf, pause, Sender } from "../../../static/js/shared/sender.js"
import { LocalStore, MemoryStore } from "../../../static/js/shared/stores.js"
import { FakeClock, FakeStorage } from "./fakes.js"

/** Statuses that come with a sentence of Plateau's. */
const OURS = new Set([400, 404, 409, 422])

/** A server that answers with the statuses given, then with 201; and who saw what. */
function scene({ statuses = [], store = new MemoryStore(), who = "ana", box = "annotate", locks = null } = {}) {
  const posted = []
  const news = []
  const clock = new FakeClock()
  const send = async (entry) => {
    posted.push(entry.id)
    const next = statuses.shift() ?? 201
    return typeof next === "number" ? { status: next, body: OURS.has(next) ? { sentence: "No." } : null, retryAfter: 0 } : next
  }
  const tell = ({ outcome, entry, left }) => news.push(`${entry.id} ${outcome} ${left}`)
  return { posted, news, clock, store, sender: new Sender({ store, send, box, who, tell, locks, clock }) }
}

const answer = (id) => ({ id, task: "/a/1/", label: "series 1 · never steady", body: { kind: "never" } })

test("what a reply means: the table of docs/design/script.md", () => {
  const sentence = { sentence: "The campaign is closed." }
  const rows = [
    ["saved", [201, null], [204, null]],
    ["signed-out", [401, null], [401, sentence], [403, { ...sentence, reason: "stale-form" }]],
    ["refused", [400, sentence], [403, sentence], [404, sentence], [409, sentence], [413, sentence], [422, sentence]],
    ["later", [0, null], [408, null], [408, sentence], [429, null], [429, sentence], [500, null], [502, null], [503, sentence], [504, null]],
    // What is not Plateau's: a proxy, a firewall, a hotel's network.
    ["later", [200, null], [200, sentence], [302, null], [403, null], [404, null], [407, null]],
  ]

  for (const [outcome, ...replies] of rows)
    for (const [status, body] of replies) assert.equal(outcomeOf({ status, body }), outcome, `${status} ${JSON.stringify(body)}`)
})

test("tries are 1, 2, 4 … 60 seconds apart", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 20].map((failures) => pause(failures)), [1, 2, 4, 8, 16, 32, 60, 60])
})

test("a server that names a time is left alone until then, whatever happens meanwhile", async () => {
  for (const status of [429, 503]) {
    const { sender, posted, clock } = scene({ statuses: [{ status, body: null, retryAfter: 90 }] })
    await sender.add(answer("one"))
    await sender.settled()
    assert.deepEqual(clock.pauses, [90])

    await sender.add(answer("two"))
    clock.ms += 30_000
    sender.wake()
    assert.deepEqual([posted, clock.pauses], [["one"], [60]])

    await clock.ring()
    assert.deepEqual(posted, ["one", "one", "two"])
  }
})

test("a stale form token keeps the answer until there is a new one", async () => {
  const stale = { status: 403, body: { sentence: "This form was open too long.", reason: "stale-form" }, retryAfter: 0 }
  const { sender, news, clock } = scene({ statuses: [stale] })

  await sender.add(answer("one"))
  await sender.settled()
  await sender.wake() // signed in again

  assert.deepEqual([news, clock.pauses], [["one signed-out 1", "one saved 0"], []])
})

test("what somebody may not do is told once, and what comes after is sent", async () => {
  const right = { status: 403, body: { sentence: "Only an owner decides." }, retryAfter: 0 }
  const { sender, news } = scene({ statuses: [right] })

  await sender.add(answer("one"))
  await sender.add(answer("two"))
  await sender.settled()

  assert.deepEqual(news, ["one refused 1", "two saved 0"])
})

test("each page sends what was given there; entries of before pages had boxes are answers", async () => {
  const store = new MemoryStore()
  await store.put({ ...answer("old"), who: "ana", seq: 1 })
  await store.put({ ...answer("decided"), who: "ana", seq: 2, box: "review" })
  const [annotate, review] = [scene({ store }), scene({ store, box: "review" })]

  await annotate.sender.wake()
  await review.sender.wake()

  assert.deepEqual([annotate.posted, review.posted], [["old"], ["decided"]])
})

test("an answer is kept first, sent, and let go when the server has it", async () => {
  const { sender, posted, news } = scene()

  await sender.add(answer("one"))
  await sender.settled()

  assert.deepEqual(posted, ["one"])
  assert.deepEqual(news, ["one saved 0"])
  assert.deepEqual(await sender.waiting(), [])
})

test("without a network answers wait, keep their order, and are sent once", async () => {
  const { sender, posted, news, clock } = scene({ statuses: [0, 0, 0] })
  for (const id of ["one", "two", "three"]) {
    await sender.add(answer(id))
    await sender.settled()
  }
  assert.deepEqual(posted, ["one", "one", "one"])
  assert.deepEqual((await sender.waiting()).map((entry) => entry.id), ["one", "two", "three"])

  await clock.ring()

  assert.deepEqual(posted.slice(3), ["one", "two", "three"])
  assert.deepEqual(news.slice(3), ["one saved 2", "two saved 1", "three saved 0"])
})

test("each failure in a row waits longer, and a success starts over", async () => {
  const { sender, clock } = scene({ statuses: [503, 0, 429, 201, 503] })
  const pauses = []

  await sender.add(answer("one"))
  await sender.settled()
  for (let i = 0; i < 3; i++) {
    pauses.push(clock.pauses)
    await clock.ring()
  }
  await sender.add(answer("two"))
  await sender.settled()

  assert.deepEqual([...pauses, clock.pauses], [[1], [2], [4], [1]])
})

test("a new answer does not wait for the timer of an older one", async () => {
  const { sender, posted, clock } = scene({ statuses: [0] })
  await sender.add(answer("one"))
  await sender.settled()

  await sender.add(answer("two"))
  await sender.settled()

  assert.deepEqual(posted, ["one", "one", "two"])
  assert.deepEqual(clock.pauses, [])
})

test("a refused answer leaves the sender, and the next one is sent", async () => {
  const { sender, news, store } = scene({ statuses: [0, 409] })
  await sender.add(answer("one"))
  await sender.settled()

  await sender.add(answer("two"))
  await sender.settled()

  assert.deepEqual(news, ["one later 1", "one refused 1", "two saved 0"])
  assert.deepEqual(await store.all(), [])
})

test("signed out: everything waits for the sign-in, without a timer", async () => {
  const { sender, news, clock } = scene({ statuses: [401] })

  await sender.add(answer("one"))
  await sender.settled()

  assert.deepEqual(news, ["one signed-out 1"])
  assert.deepEqual(clock.pauses, [])
})

test("answers survive a reload", async () => {
  const storage = new FakeStorage()
  const before = scene({ statuses: [0, 0, 0], store: new LocalStore(storage) })
  await before.sender.add(answer("one"))
  await before.sender.add(answer("two"))

  const after = scene({ store: new LocalStore(storage) })
  await after.sender.wake()

  assert.deepEqual(after.posted, ["one", "two"])
})

test("another person's answers in the same browser stay theirs", async () => {
  const store = new MemoryStore()
  const ana = scene({ statuses: [401, 401], store })
  await ana.sender.add(answer("hers"))
  const ben = scene({ store, who: "ben" })

  await ben.sender.wake()

  assert.deepEqual(ben.posted, [])
  assert.deepEqual((await ana.sender.waiting()).map((entry) => entry.id), ["hers"])
})

test("of two tabs only one sends at a time, and each answer is sent once", async () => {
  const store = new MemoryStore()
  let held = Promise.resolve()
  const locks = { request: (name, act) => (held = held.then(act)) }
  const one = scene({ store, locks })
  const two = scene({ store, locks })

  await Promise.all([one.sender.add(answer("a")), two.sender.add(answer("b"))])
  await Promise.all([one.sender.wake(), two.sender.wake()])

  assert.deepEqual([...one.posted, ...two.posted].sort(), ["a", "b"])
})

test("a full disk keeps the answer in memory, and the page can say so", async () => {
  const { sender, posted } = scene({ statuses: [0, 0], store: new LocalStore(new FakeStorage({ full: true })) })

  await sender.add(answer("one"))
  await sender.settled()

  assert.equal(sender.lasting, false)
  assert.deepEqual((await sender.waiting()).map((entry) => entry.id), ["one"])
  assert.deepEqual(posted, ["one"])
})
