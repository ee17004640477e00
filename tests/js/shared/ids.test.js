import assert from "node:assert/strict"
import { test } from "node:test"

import { namer, newId } from "../../../static/js/shared/ids.js"

test("an id is a version 4 UUID made of 16 random bytes", () => {
  assert.equal(newId((bytes) => bytes.fill(255)), "ffffffff-ffff-4fff-bfff-ffffffffffff")
  assert.match(newId(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.notEqual(newId(), newId())
})

test("an answer sent again keeps its id; a changed answer gets a new one", () => {
  let made = 0
  const idOf = namer(() => `id-${++made}`)

  assert.deepEqual(["steady 3", "steady 3", "never", "steady 3"].map(idOf), ["id-1", "id-1", "id-2", "id-3"])
})
