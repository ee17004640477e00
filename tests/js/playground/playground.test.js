// The playground's pure parts: scales of sliders, values as they travel, answers as lines and as an address.
import assert from "node:assert/strict"
import { test } from "node:test"

import { delta, iteration, linesOf, queryOf } from "../../../static/js/playground/answers.js"
import { decoded, forChart } from "../../../static/js/playground/codec.js"
import { toPosition, toValue } from "../../../static/js/playground/scales.js"

const LOG = { low: 25, high: 10_000, log: true, whole: true }
const EVEN = { low: 0, high: 1, log: false, whole: false }
const base64 = (floats) => Buffer.from(floats.buffer).toString("base64")

test("the ends of a slider are the ends of its scale", () => {
  assert.deepEqual([toValue(0, LOG), toValue(200, LOG), toValue(0, EVEN), toValue(200, EVEN)], [25, 10_000, 0, 1])
})

test("the middle of a logarithmic slider is the geometric mean", () => {
  assert.equal(toValue(100, LOG), 500)
  assert.equal(toPosition(500, LOG), 100)
})

test("every place of a slider leads back to itself, but for rounding", () => {
  for (const scale of [LOG, EVEN])
    for (let at = 0; at <= 200; at++) assert.ok(Math.abs(toPosition(toValue(at, scale), scale) - at) <= 1)
})

test("what is beyond the slider stands at its end, and no number at its start", () => {
  assert.deepEqual([toPosition(1e9, LOG), toPosition(1, LOG), toPosition(NaN, LOG)], [200, 0, 0])
})

test("values travel without loss", () => {
  assert.deepEqual([...decoded(base64(Float64Array.of(0.1, 1e300)), 8)], [0.1, 1e300])
  assert.deepEqual([...decoded(base64(Float32Array.of(0.5, -2)), 4)], [0.5, -2])
})

test("the chart gets values divided by their scale, and a stored series as it is", () => {
  const pasted = forChart({ values: base64(Float64Array.of(4e300, 2e300)), bytes: 8, scale: 2e300 })

  assert.deepEqual([...pasted.values], [2, 1])
  assert.deepEqual(forChart({ payloadUrl: "/payload/" }), { payloadUrl: "/payload/" })
})

test("a line for every answer that is an iteration, and one for the truth", () => {
  const answers = [
    { key: "a", code: "A", title: "One", params: ["k = 3"], slot: 2, steady_start: 7 },
    { key: "b", code: "B", title: "Two", params: [], slot: 3, steady_start: -1 },
    { key: "c", code: "C", title: "Three", params: [], slot: 4, problem: "too short" },
  ]

  const lines = linesOf(answers, 9)

  assert.deepEqual(lines.map((line) => [line.id, line.index, line.title]), [["a", 7, "One, k = 3"], ["truth", 9, "true answer"]])
  assert.equal(linesOf(answers, -1).length, 1)
})

test("never is a word, no answer a dash, a difference has its sign", () => {
  assert.deepEqual([iteration(-1), iteration(undefined), iteration(12_345)], ["never", "–", "12\u2009345"])
  assert.deepEqual([delta(5, 9), delta(9, 5), delta(-1, 5), delta(5, null)], ["−4", "+4", "–", "–"])
})

test("the address holds the view, and no values", () => {
  const query = queryOf({ query: [["kind", "step"]], method: "kelly@1?prob_window=50", pins: ["sdm@1"], mark: 0 })

  assert.equal(query, "?kind=step&m=kelly%401%3Fprob_window%3D50&pin=sdm%401&mark=0")
  assert.equal(queryOf({ query: [], method: "sdm@1", pins: [], mark: null }), "?m=sdm%401")
})
