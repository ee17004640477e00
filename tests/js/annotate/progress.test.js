import assert from "node:assert/strict"
import { test } from "node:test"

import { counts, median, timeLeft } from "../../../static/js/annotate/progress.js"

test("what is left, at the median of the person's own answers", () => {
  assert.equal(median([19, 12, 40, 21, 15]), 19)
  assert.equal(timeLeft([19, 12, 40, 21, 15], 28), "about 9 min")
})

test("nothing is said from fewer than five answers, or when nothing is left", () => {
  assert.equal(timeLeft([19, 12, 40, 21], 28), "")
  assert.equal(timeLeft([19, 12, 40, 21, 15], 0), "")
})

test("only the last twenty answers make the pace", () => {
  const slowStart = [...Array(30).fill(600), ...Array(20).fill(6)]

  assert.equal(timeLeft(slowStart, 10), "about 1 min")
})

test("minutes are rounded up, and hours are named", () => {
  assert.equal(timeLeft(Array(5).fill(61), 1), "about 2 min")
  assert.equal(timeLeft(Array(5).fill(60), 150), "about 2 h 30 min")
  assert.equal(timeLeft(Array(5).fill(60), 180), "about 3 h")
})

test("an even number of answers has its median half-way", () => {
  assert.equal(median([1, 2, 4, 9]), 3)
})

test("the counts are words", () => {
  assert.equal(counts(12, 28), "12 done, 28 to go")
})
