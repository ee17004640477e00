// Numbers as charts write them, without a prefix that fits.
import assert from "node:assert/strict"
import { test } from "node:test"

import { si } from "../../../static/js/shared/format.js"

test("what no prefix shortens is a power of ten, as on the axes", () => {
  assert.deepEqual([si(1.501e-5, ""), si(-1.501e-5, ""), si(1.501e-4, ""), si(2e-9, "op/s")],
    ["1.501·10⁻⁵", "−1.501·10⁻⁵", "0.0001501", "2.000·10⁻⁹\u00a0op/s"])
})
