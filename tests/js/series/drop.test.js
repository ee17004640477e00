import assert from "node:assert/strict"
import { test } from "node:test"

import { fileCountWords, tooMuch } from "../../../static/js/series/drop.js"

test("what is dropped is told by number and size", () => {
  assert.equal(fileCountWords([{ size: 900 }]), "1 file, 1 kB")
  assert.equal(fileCountWords([{ size: 400_000 }, { size: 850_000 }]), "2 files, 1.3 MB")
})

test("more than fits into one upload is refused before it is sent", () => {
  const files = Array(4).fill({ size: 600_000 })

  assert.equal(tooMuch(files, 4, 2_400_000), "")
  assert.match(tooMuch(files, 3, 2_400_000), /^These are 4 files, 2\.4 MB, and at most 3 files fit/)
  assert.match(tooMuch(files, 4, 2_000_000), /and at most 2 MB fit into one upload\. Nothing was sent/)
})
