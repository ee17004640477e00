import assert from "node:assert/strict"
import { test } from "node:test"

import { connectAsides } from "../../../static/js/annotate/asides.js"
import { Sender } from "../../../static/js/shared/sender.js"
import { MemoryStore } from "../../../static/js/shared/stores.js"
import { FakeClock } from "../shared/fakes.js"

const skipUrl = (position) => `/annotate/${position}/skips/`

/** A page whose server answers with the replies given, then with 204. */
async function pageWith(replies, store = new MemoryStore()) {
  const seen = { posted: [], notices: [], signIns: [], skipped: [] }
  const clock = new FakeClock()
  const post = async (url) => {
    seen.posted.push(url)
    return { status: 204, body: null, retryAfter: 0, ...replies.shift() }
  }
  const parts = {
    http: { post }, skipUrl, wake: () => undefined,
    dialogs: { signIn: (sentence) => seen.signIns.push(sentence) },
    queue: { skip: (position) => seen.skipped.push(position) },
    status: { notice: (sentence) => seen.notices.push(sentence) },
  }
  const open = async ({ box, who, http, hear }) => seen.sender = new Sender(
    { store, send: (entry) => http.post(entry.url, entry.body), box, who, tell: hear, clock })
  await connectAsides(parts, { who: "ana" }, open)
  await seen.sender.settled()
  return { ...seen, parts, clock, store }
}

const skip = async ({ parts, sender }, position) => {
  await parts.asides.send(skipUrl(position), {}, { position })
  await sender.settled()
}

test("a skip that does not get through is sent again, and told to nobody", async () => {
  const page = await pageWith([{ status: 0 }, { status: 503, retryAfter: 9 }])

  await skip(page, 2)
  assert.deepEqual(page.clock.pauses, [1])
  await page.clock.ring()
  assert.deepEqual(page.clock.pauses, [9])
  await page.clock.ring()

  assert.deepEqual(page.posted, [skipUrl(2), skipUrl(2), skipUrl(2)])
  assert.deepEqual([await page.sender.waiting(), page.notices, page.signIns], [[], [], []])
})

test("one that is refused is said once, and let go", async () => {
  const page = await pageWith([{ status: 409, body: { sentence: "The campaign is closed." } }])

  await skip(page, 2)

  assert.deepEqual(page.notices, ["The campaign is closed."])
  assert.deepEqual(await page.sender.waiting(), [])
})

test("signed out: it is kept until somebody has signed in", async () => {
  const page = await pageWith([{ status: 401 }])

  await skip(page, 2)
  assert.deepEqual(page.signIns, ["You were signed out. Sign in to go on."])
  page.parts.asides.wake()
  await page.sender.settled()

  assert.deepEqual(page.posted, [skipUrl(2), skipUrl(2)])
})

test("what an earlier visit could not send goes at once; its series stay skipped", async () => {
  const store = new MemoryStore()
  const before = await pageWith([{ status: 0 }, { status: 0 }], store)
  await before.parts.asides.send("/guide-readings/", { version: "1" })
  await skip(before, 3)

  const after = await pageWith([], store)

  assert.deepEqual(after.posted, ["/guide-readings/", skipUrl(3)])
  assert.deepEqual(after.skipped, [3])
})
