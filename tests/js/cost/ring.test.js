import assert from "node:assert/strict"
import { test } from "node:test"

import { ringed } from "../../../static/js/cost/ring.js"

test("the ring goes to the point of the method, and nothing else moves", () => {
  const data = [{ x: [9], y: [9] }, { ids: ["a", "b"], x: [1, 2], y: [3, 4] }, { meta: { ring: true }, x: [1], y: [3] }]

  const [other, points, ring] = ringed({ data }, "b")

  assert.deepEqual([ring.x, ring.y], [[2], [4]])
  assert.equal(other, data[0])
  assert.equal(points, data[1])
})
