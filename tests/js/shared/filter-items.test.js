import assert from "node:assert/strict"
import { test } from "node:test"

import { fits } from "../../../static/js/shared/filter-items.js"

test("a search leaves what has every word, in any order and case", () => {
  const words = "KB KB-KSSD (prob_window = 200)"

  assert.deepEqual(["", "kb", "200 kssd", "kb sdm"].map((text) => fits(text, words)),
    [true, true, true, false])
})
