import assert from "node:assert/strict"
import { test } from "node:test"

import { geometry, inwards } from "../../../static/js/chart/figure.js"

const plain = { width: 390, plotHeight: 300, lanes: 1, ticks: true, labels: 50 }

test("a plot over the full width leaves no room for figures beside it", () => {
  const { left, right, width } = geometry({ ...plain, full: true })

  assert.deepEqual([left, right, width], [0, 0, 390])
  assert.equal(geometry(plain).left, 56)
})

test("a figure at an edge is moved inwards by spaces, others stand where they are", () => {
  globalThis.document = { createElement: () => ({ getContext: () => null }) }
  const spaces = (text) => [text.search(/[^\u2003]/), text.length - text.trimEnd().length]

  assert.deepEqual(spaces(inwards("1000", 195, 390)), [0, 0])
  assert.ok(spaces(inwards("0", 0, 390))[0] > 0)
  assert.deepEqual(spaces(inwards("0", 0, 390))[1], 0)
  assert.ok(spaces(inwards("2999", 390, 390))[1] > spaces(inwards("9", 390, 390))[1])
})
