import assert from "node:assert/strict"
import { test } from "node:test"

import { geometry } from "../../../static/js/chart/figure.js"
import { nearest, placeSymbols, stackLevels } from "../../../static/js/chart/strip.js"

const plot = geometry({ width: 1000, plotHeight: 300, lanes: 1, ticks: true, strip: true })
const answer = (id, index) => ({ id, index, kind: "detector", slot: 0, code: id })

test("symbols that would touch stand one above the other", () => {
  assert.deepEqual(stackLevels([10, 12, 40, 13, 22.5], 12.5), [0, 1, 0, 2, 0])
  assert.deepEqual(stackLevels([5, 5, 5], 12.5, 2), [0, 1, -1])
})

test("every answer is in view, at the end, or counted", () => {
  const answers = [answer("a", 0), answer("b", 99), answer("never", -1), answer("none", null), answer("out", 400)]
  const { seen, rest } = placeSymbols({ answers, truth: null, tolerance: 0 }, [0, 100], plot)
  const at = Object.fromEntries(seen.map(({ answer: { id }, x }) => [id, x]))

  assert.deepEqual(rest, [])
  assert.deepEqual(Object.keys(at).sort(), ["a", "b", "never", "none"]) // "out" is outside of the window
  assert.ok(Math.abs(at.a - plot.left - plot.width / 200) < 1e-9)
  assert.ok(at.b < plot.left + plot.width && at.never > plot.left + plot.width && at.none > at.never)
  assert.ok(at.none + 6 < plot.stage)
})

test("more answers on one iteration than levels are counted", () => {
  const answers = Array.from({ length: 12 }, (_, k) => answer(`m${k}`, 50))
  const { seen, rest } = placeSymbols({ answers, truth: null, tolerance: 0 }, [0, 100], plot)

  assert.deepEqual([seen.length, rest.length], [7, 5])
})

test("the nearest symbol is meant, within reach", () => {
  const found = placeSymbols({ answers: [answer("a", 10), answer("b", 12)], truth: null, tolerance: 0 }, [0, 100], plot)
  const [a, b] = found.seen

  assert.equal(nearest(found, a.x + 1, a.y), "a")
  assert.equal(nearest(found, b.x + 20, b.y), "b")
  assert.equal(nearest(found, b.x + 60, b.y), null)
  assert.equal(nearest({ seen: [] }, 0, 0), null)
})
