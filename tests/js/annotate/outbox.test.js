import assert from "node:assert/strict"
import { test } from "node:test"

import { Outbox, outcomeOf, pause } from "../../../static/js/annotate/outbox.js"
import { LocalStore, MemoryStore } from "../../../static/js/annotate/store.js"
import { FakeClock, FakeStorage } from "./fakes.js"

/** A server that answers with the statuses given, then with 201; and who saw what. */
function scene({ statuses = [], store = new MemoryStore(), who = "ana", locks = null } = {}) {
  const posted = []
  const news = []
  const clock = new FakeClock()
  const send = async (entry) => {
    posted.push(entry.id)
    return { status: statuses.shift() ?? 201, body: {} }
  }
  const tell = ({ outcome, entry, left }) => news.push(`${entry.id} ${outcome} ${left}`)
  return { posted, news, clock, store, outbox: new Outbox({ store, send, who, tell, locks, clock }) }
}

const answer = (id) => ({ id, task: "/a/1/", label: "series 1 · never steady", body: { kind: "never" } })

test("what a status means for the answer", () => {
  const means = Object.fromEntries([200, 201, 0, 403, 408, 429, 500, 503, 400, 404, 409, 422, 401].map((s) => [s, outcomeOf(s)]))

  assert.deepEqual(means, {
    200: "saved", 201: "saved", 0: "later", 403: "later", 408: "later", 429: "later", 500: "later", 503: "later",
    400: "refused", 404: "refused", 409: "refused", 422: "refused", 401: "signed-out",
  })
})

test("tries are 1, 2, 4 … 60 seconds apart", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 20].map(pause), [1, 2, 4, 8, 16, 32, 60, 60])
})

test("an answer is kept first, sent, and let go when the server has it", async () => {
  const { outbox, posted, news } = scene()

  await outbox.add(answer("one"))
  await outbox.settled()

  assert.deepEqual(posted, ["one"])
  assert.deepEqual(news, ["one saved 0"])
  assert.deepEqual(await outbox.waiting(), [])
})

test("without a network answers wait, keep their order, and are sent once", async () => {
  const { outbox, posted, news, clock } = scene({ statuses: [0, 0, 0] })
  for (const id of ["one", "two", "three"]) {
    await outbox.add(answer(id))
    await outbox.settled()
  }
  assert.deepEqual(posted, ["one", "one", "one"])
  assert.deepEqual((await outbox.waiting()).map((entry) => entry.id), ["one", "two", "three"])

  await clock.ring()

  assert.deepEqual(posted.slice(3), ["one", "two", "three"])
  assert.deepEqual(news.slice(3), ["one saved 2", "two saved 1", "three saved 0"])
})

test("each failure in a row waits longer, and a success starts over", async () => {
  const { outbox, clock } = scene({ statuses: [503, 0, 429, 201, 503] })
  const pauses = []

  await outbox.add(answer("one"))
  await outbox.settled()
  for (let i = 0; i < 3; i++) {
    pauses.push(clock.pauses)
    await clock.ring()
  }
  await outbox.add(answer("two"))
  await outbox.settled()

  assert.deepEqual([...pauses, clock.pauses], [[1], [2], [4], [1]])
})

test("a new answer does not wait for the timer of an older one", async () => {
  const { outbox, posted, clock } = scene({ statuses: [0] })
  await outbox.add(answer("one"))
  await outbox.settled()

  await outbox.add(answer("two"))
  await outbox.settled()

  assert.deepEqual(posted, ["one", "one", "two"])
  assert.deepEqual(clock.pauses, [])
})

test("a refused answer leaves the outbox, and the next one is sent", async () => {
  const { outbox, news, store } = scene({ statuses: [0, 409] })
  await outbox.add(answer("one"))
  await outbox.settled()

  await outbox.add(answer("two"))
  await outbox.settled()

  assert.deepEqual(news, ["one later 1", "one refused 1", "two saved 0"])
  assert.deepEqual(await store.all(), [])
})

test("signed out: everything waits for the sign-in, without a timer", async () => {
  const { outbox, news, clock } = scene({ statuses: [401] })

  await outbox.add(answer("one"))
  await outbox.settled()

  assert.deepEqual(news, ["one signed-out 1"])
  assert.deepEqual(clock.pauses, [])
})

test("answers survive a reload", async () => {
  const storage = new FakeStorage()
  const before = scene({ statuses: [0, 0, 0], store: new LocalStore(storage) })
  await before.outbox.add(answer("one"))
  await before.outbox.add(answer("two"))

  const after = scene({ store: new LocalStore(storage) })
  await after.outbox.wake()

  assert.deepEqual(after.posted, ["one", "two"])
})

test("another person's answers in the same browser stay theirs", async () => {
  const store = new MemoryStore()
  const ana = scene({ statuses: [401, 401], store })
  await ana.outbox.add(answer("hers"))
  const ben = scene({ store, who: "ben" })

  await ben.outbox.wake()

  assert.deepEqual(ben.posted, [])
  assert.deepEqual((await ana.outbox.waiting()).map((entry) => entry.id), ["hers"])
})

test("of two tabs only one sends at a time, and each answer is sent once", async () => {
  const store = new MemoryStore()
  let held = Promise.resolve()
  const locks = { request: (name, act) => (held = held.then(act)) }
  const one = scene({ store, locks })
  const two = scene({ store, locks })

  await Promise.all([one.outbox.add(answer("a")), two.outbox.add(answer("b"))])
  await Promise.all([one.outbox.wake(), two.outbox.wake()])

  assert.deepEqual([...one.posted, ...two.posted].sort(), ["a", "b"])
})

test("a full disk keeps the answer in memory, and the page can say so", async () => {
  const { outbox, posted } = scene({ statuses: [0, 0], store: new LocalStore(new FakeStorage({ full: true })) })

  await outbox.add(answer("one"))
  await outbox.settled()

  assert.equal(outbox.lasting, false)
  assert.deepEqual((await outbox.waiting()).map((entry) => entry.id), ["one"])
  assert.deepEqual(posted, ["one"])
})
