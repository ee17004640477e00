import assert from "node:assert/strict"
import { test } from "node:test"

import { curvesOf, largestSize, sizeAfterKey, nearest, readings, shareAt, toPx, toSize } from "../../../static/js/comparison/ecdf.js"

const plot = { left: 40, right: 440, end: 3 } // to 999 iterations

test("curves are the traces of methods, and a distance has the share up to it", () => {
  const trace = { legendgroup: "kb", x: [1, 1, 3, 11], y: [0, 25, 75, 100] }
  const { kb, ...others } = curvesOf({ data: [{ ids: ["kb"], x: [1], y: [1] }, trace] })

  assert.deepEqual([kb, others], [{ sizes: [0, 0, 2, 10], shares: [0, 25, 75, 100] }, {}])
  assert.deepEqual([0, 1, 2, 9, 10, 99].map((size) => shareAt(kb, size)), [25, 25, 75, 75, 100, 100])
  assert.equal(shareAt({ sizes: [], shares: [] }, 5), 0)
})

test("the nearest curve at a distance is raised", () => {
  const curves = { a: { sizes: [0, 5], shares: [0, 50] }, b: { sizes: [0, 5], shares: [0, 90] } }

  assert.deepEqual([20, 69, 71, 100].map((share) => nearest(curves, 5, share)), ["a", "a", "b", "b"])
  assert.equal(nearest({}, 5, 50), "")
})

test("pixels and distances are each other's inverse, within the axis", () => {
  assert.equal(largestSize(plot), 999)
  for (const size of [0, 1, 9, 150, 999]) assert.equal(toSize(toPx(size, plot), plot), size)
  assert.equal(toSize(0, plot), 0)
  assert.equal(toSize(5000, plot), 999)
  assert.equal(toPx(1e6, plot), 440)
})

test("keys move by one, by ten, to round numbers, to the ends, and never beyond", () => {
  const key = (name, shiftKey = false) => sizeAfterKey(150, { key: name, shiftKey }, 999)
  assert.deepEqual([key("ArrowLeft"), key("ArrowRight"), key("ArrowUp", true)], [149, 151, 160])
  assert.deepEqual([key("PageUp"), key("PageDown"), key("Home"), key("End")], [200, 100, 0, 999])
  assert.equal(sizeAfterKey(0, { key: "ArrowLeft" }, 999), 0)
  assert.equal(sizeAfterKey(999, { key: "PageUp" }, 999), 999)
  assert.equal(key("a"), null)
})

test("the highest share stands first, equal ones in their own order", () => {
  const at = (size, share) => ({ sizes: [size], shares: [share] })

  assert.deepEqual(readings({ a: at(5, 25), b: at(1, 50), c: at(2, 25) }, 5).map(({ name, share }) => [name, share]), [["b", 50], ["a", 25], ["c", 25]])
  assert.deepEqual(readings({ a: at(5, 25), b: at(6, 50) }, 4).map(({ share }) => share), [0, 0])
})
