import assert from "node:assert/strict"
import { test } from "node:test"

import { offlineSentence, signedOutSentence, UnsentStrip } from "../../../static/js/shared/unsent-strip.js"

const news = (outcome, left, status = 0, body = null) => ({ outcome, left, reply: { status, body } })

test("being offline and being refused by the server are told apart", () => {
  const at = new Date(2025, 2, 14, 14, 2)

  assert.equal(offlineSentence(at, 3, 0, true), "Offline since 14:02. 3 answers are kept here and will be sent.")
  assert.equal(offlineSentence(at, 1, 503, true), "The server has not taken answers since 14:02 (it says 503). 1 answer is kept here and will be sent.")
  assert.equal(offlineSentence(at, 2, 0, false), "Offline since 14:02. 2 answers are kept in this tab only: leave it open.")
  assert.equal(signedOutSentence({ body: null }, 3), "You were signed out. Sign in to send 3 answers.")
})

test("it counts what the page is about, and knows whose page it is", () => {
  const ben = { body: { reason: "other-person", sentence: "You are signed in as ben." } }

  assert.equal(signedOutSentence({ body: null }, 1, "decision"), "You were signed out. Sign in to send 1 decision.")
  assert.equal(signedOutSentence({ body: null }, 0), "You were signed out. Sign in to go on.")
  assert.equal(signedOutSentence(ben, 2), "You are signed in as ben.")
})

test("the strip says what waits, and once that all of it got through", () => {
  const place = { textContent: "" }
  const strip = new UnsentStrip("decision", place)

  strip.wait(news("later", 1, 503), true)
  assert.match(place.textContent, /it says 503\)\. 1 decision is kept here and will be sent\.$/)
  strip.wait(news("signed-out", 2, 401), true)
  assert.equal(place.textContent, "You were signed out. Sign in to send 2 decisions.")
  assert.equal(strip.through(1), "")
  assert.equal(strip.through(0), "Sent 2 decisions.")

  assert.deepEqual([place.textContent, strip.shown, strip.through(0)], ["", false, ""])
})
