import assert from "node:assert/strict"
import { test } from "node:test"

import { listAddress } from "../../../static/js/comparison/cells.js"

test("a pressed figure asks what the form asks, with its own figure and row", () => {
  const real = globalThis.FormData
  globalThis.FormData = class extends Map {
    constructor(form) { super(form.fields) }
  }
  const fields = [["tol", "30"], ["cell", "early"], ["of", "sdm"], ["by", "methods"]]
  const address = new URL(listAddress({ action: "https://p/s/d/", fields }, "n", "person:a1"))
  globalThis.FormData = real

  assert.equal(address.pathname, "/s/d/")
  assert.deepEqual(Object.fromEntries(address.searchParams),
    { tol: "30", cell: "n", of: "person:a1", by: "methods" })
})
