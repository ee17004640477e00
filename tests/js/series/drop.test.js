import assert from "node:assert/strict"
import { test } from "node:test"

import { told } from "../../../static/js/series/drop.js"

test("what is dropped is told by number and size", () => {
  assert.equal(told([{ size: 900 }]), "1 file, 1 kB")
  assert.equal(told([{ size: 400_000 }, { size: 850_000 }]), "2 files, 1.3 MB")
})
