import assert from "node:assert/strict"
import { afterEach, test } from "node:test"

import { apiClient, secondsOf } from "../../../static/js/shared/api-client.js"

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
  delete globalThis.document
})

/** A network that answers so, and what was asked of it. */
function network(answer) {
  const asked = []
  globalThis.document = { cookie: "a=1; csrftoken=abc", body: { getAttribute: () => null } }
  globalThis.fetch = async (url, options) => {
    asked.push([url, options])
    return answer instanceof Error ? Promise.reject(answer) : answer
  }
  return asked
}

const json = (status, body, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } })

test("a post says whose page it is, and carries the form token of the moment", async () => {
  const asked = network(json(201, { revision: 1 }))

  const reply = await apiClient("Žofie").post("/marks/", { kind: "never" })

  assert.deepEqual(reply, { status: 201, body: { revision: 1 }, retryAfter: 0 })
  const [[url, { method, body, headers, keepalive, redirect }]] = asked
  assert.deepEqual([url, method, String(body), keepalive, redirect], ["/marks/", "POST", "kind=never", true, "manual"])
  assert.deepEqual([headers["X-Plateau-Person"], headers["X-CSRFToken"], headers.Accept], ["%C5%BDofie", "abc", "application/json"])
})

test("what is no answer of Plateau's has no body", async () => {
  network(new Response("<h1>Hotel</h1>", { status: 200, headers: { "Content-Type": "text/html" } }))

  assert.deepEqual(await apiClient().get("/x/"), { status: 200, body: null, retryAfter: 0 })
})

test("being sent elsewhere is being signed out", async () => {
  network({ type: "opaqueredirect", status: 0 })

  assert.equal((await apiClient().get("/x/")).status, 401)
})

test("no network, no patience and half an answer are no answer; a bug is a bug", async () => {
  const none = { status: 0, body: null, retryAfter: 0 }
  for (const error of [new TypeError("Failed to fetch"), new DOMException("", "TimeoutError")]) {
    network(error)
    assert.deepEqual(await apiClient().get("/x/"), none)
  }
  network(new Response('{"a":', { headers: { "Content-Type": "application/json" } }))
  assert.deepEqual(await apiClient().get("/x/"), none)
  network(new RangeError("bug"))
  await assert.rejects(apiClient().get("/x/"), RangeError)
})

test("Retry-After is a number of seconds, or a date", async () => {
  const now = Date.parse("2026-05-04T10:00:00Z")

  assert.deepEqual(["5", "0", null, "soon", "Mon, 04 May 2026 10:00:30 GMT", "Mon, 04 May 2026 09:00:00 GMT"].map((text) => secondsOf(text, now)), [5, 0, 0, 0, 30, 0])
  network(json(503, {}, { "Retry-After": "7" }))
  assert.equal((await apiClient().get("/x/")).retryAfter, 7)
})
