import assert from "node:assert/strict"
import { test } from "node:test"

import { countAt, most, moved, readings, steps, toPx, toSize } from "../../../static/js/comparison/ecdf.js"

const plot = { left: 40, right: 440, end: 3 } // to 999 iterations

test("increments become steps, and a distance counts the series up to it", () => {
  const found = steps([0, 1, 2, 2, 8, 1])

  assert.deepEqual(found, { sizes: [0, 2, 10], counts: [1, 3, 4] })
  assert.deepEqual([0, 1, 2, 9, 10, 99].map((size) => countAt(found, size)), [1, 1, 3, 3, 4, 4])
  assert.equal(countAt(steps([]), 5), 0)
})

test("pixels and distances are each other's inverse, within the axis", () => {
  assert.equal(most(plot), 999)
  for (const size of [0, 1, 9, 150, 999]) assert.equal(toSize(toPx(size, plot), plot), size)
  assert.equal(toSize(0, plot), 0)
  assert.equal(toSize(5000, plot), 999)
  assert.equal(toPx(1e6, plot), 440)
})

test("keys move by one, by ten, to round numbers, to the ends, and never beyond", () => {
  const key = (name, shiftKey = false) => moved(150, { key: name, shiftKey }, 999)
  assert.deepEqual([key("ArrowLeft"), key("ArrowRight"), key("ArrowUp", true)], [149, 151, 160])
  assert.deepEqual([key("PageUp"), key("PageDown"), key("Home"), key("End")], [200, 100, 0, 999])
  assert.equal(moved(0, { key: "ArrowLeft" }, 999), 0)
  assert.equal(moved(999, { key: "PageUp" }, 999), 999)
  assert.equal(key("a"), null)
})

test("the highest share stands first, equal ones in their own order", () => {
  const curves = { a: steps([5, 1]), b: steps([1, 2]), c: steps([2, 1]) }

  assert.deepEqual(readings(curves, 4, 5).map(({ name, share }) => [name, share]), [["b", 0.5], ["a", 0.25], ["c", 0.25]])
  assert.deepEqual(readings(curves, 0, 5).map(({ share }) => share), [0, 0, 0])
})
