import assert from "node:assert/strict"
import { test } from "node:test"

import { withoutLot } from "../../../static/js/shared/picture.js"

const drawing = (lot) => `<svg><defs id="defs-${lot}"><clipPath id="clip${lot}xy"/></defs>`
  + `<g class="trace scatter trace${lot}"/>`
  + `<path fill="#0a1b2c" clip-path="url(#clip${lot}xy)"/></svg>`

test("numbers drawn by lot are no part of a file, and colours stay", () => {
  assert.equal(withoutLot(drawing("0a1b2c")), withoutLot(drawing("ffffff")))
  assert.match(withoutLot(drawing("0a1b2c")), /fill="#0a1b2c"/)
  assert.equal(withoutLot("<svg/>"), "<svg/>")
})
