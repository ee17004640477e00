// Parts that htmx puts in anew.
import assert from "node:assert/strict"
import { test } from "node:test"

import { connectEach } from "../../../static/js/shared/swapped.js"

test("each part is connected once, and those that come later when they are there", () => {
  let parts = ["first"].map((name) => ({ name }))
  let swapped = () => undefined
  globalThis.document = { querySelectorAll: () => parts, addEventListener: (_, hear) => (swapped = hear) }
  const names = []

  connectEach("[data-part]", ({ name }) => names.push(name))
  swapped()
  parts = [...parts, { name: "second" }]
  swapped()
  parts = [{ name: "first" }]
  swapped()
  delete globalThis.document

  assert.deepEqual(names, ["first", "second", "first"])
})

test("without a page nothing is looked for", () => {
  assert.doesNotThrow(() => connectEach("[data-part]", () => assert.fail()))
})
