import assert from "node:assert/strict"
import { test } from "node:test"

import { Decisions } from "../../../static/js/review/decisions.js"
import { Sender } from "../../../static/js/shared/sender.js"
import { MemoryStore } from "../../../static/js/shared/stores.js"
import { UnsentStrip } from "../../../static/js/shared/unsent-strip.js"
import { FakeClock } from "../shared/fakes.js"

const ABOUT = { name: "sort fork 3", url: "/case/3/" }
const REFUSED = { status: 409, body: { sentence: "First look is closed." }, retryAfter: 0 }
const settled = () => new Promise(setImmediate)

/** Decisions with a server that gives these replies, then 201. */
async function scene(replies, store = new MemoryStore()) {
  const sent = []
  const told = []
  const clock = new FakeClock()
  const strip = { textContent: "" }
  const said = { tell: (text) => told.push(text), complain: (text, url) => told.push(`! ${text} ${url}`), signIn: () => told.push("sign in") }
  const send = async ({ url, body }) => {
    sent.push([url, Object.fromEntries(body)])
    return replies.shift() ?? { status: 201, body: {}, retryAfter: 0 }
  }
  const open = async ({ box, who, hear }) => new Sender({ store, send, box, who, tell: hear, clock })
  const decisions = new Decisions(said, new UnsentStrip("decision", strip))
  await decisions.connect("olga", {}, open)
  return { decisions, sent, told, clock, strip }
}

test("what is taken back is sent after what it takes back, each under an id of its own", async () => {
  const { decisions, sent } = await scene([])

  await Promise.all([decisions.send("/x/", [["kind", "accept"]], ABOUT), decisions.send("/x/", [["kind", "undo"]], ABOUT)])

  assert.deepEqual(sent.map(([, { kind }]) => kind), ["accept", "undo"])
  assert.notEqual(sent[0][1].client_id, sent[1][1].client_id)
  assert.equal(decisions.waiting, 0)
})

test("a decision that does not arrive is sent again, as the same one, and the page says so", async () => {
  const { decisions, sent, told, clock, strip } = await scene([{ status: 0, body: null, retryAfter: 0 }])

  const stored = decisions.send("/x/", [["kind", "accept"]], ABOUT)
  await settled()
  assert.match(strip.textContent, /^Offline since \d\d:\d\d\. 1 decision is kept in this tab only/)
  assert.equal(decisions.waiting, 1)
  await clock.ring()

  assert.equal(await stored, true)
  assert.equal(sent[0][1].client_id, sent[1][1].client_id)
  assert.deepEqual([told, strip.textContent], [["Sent 1 decision."], ""])
})

test("what the server refuses is not sent again, and said with what was typed", async () => {
  const { decisions, sent, told } = await scene([REFUSED])

  assert.equal(await decisions.send("/x/", [["kind", "exclude"], ["text", "cut off"]], ABOUT), false)
  assert.deepEqual(told, ["! sort fork 3: First look is closed. You wrote: “cut off” /case/3/"])
  assert.deepEqual([sent.length, decisions.waiting], [1, 0])
})

test("signed out: a decision waits for the sign-in", async () => {
  const { decisions, told, clock, strip } = await scene([{ status: 401, body: null, retryAfter: 0 }])

  const stored = decisions.send("/x/", [["kind", "accept"]], ABOUT)
  await settled()
  assert.deepEqual([told, clock.pauses], [["sign in"], []])
  assert.equal(strip.textContent, "You were signed out. Sign in to send 1 decision.")
  void decisions.send("/y/", [["kind", "accept"]], ABOUT) // and in, in another tab

  assert.equal(await stored, true)
})

test("what an earlier visit could not send goes when the page is opened again", async () => {
  const store = new MemoryStore()
  const before = await scene([{ status: 0, body: null, retryAfter: 0 }], store)
  void before.decisions.send("/x/", [["kind", "accept"]], ABOUT)
  await settled()

  const after = await scene([], store)
  await settled()

  assert.deepEqual([after.sent.length, after.decisions.waiting], [1, 0])
})
