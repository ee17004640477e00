import assert from "node:assert/strict"
import { test } from "node:test"

import { LANES, layout } from "../../../static/js/chart/labels.js"

const at = (id, x, width = 60) => ({ id, x, width })
const named = ({ ids, lane, side, left }) => `${ids.join("+")} lane ${lane} ${side} at ${left}`

test("labels keep their lanes, right of the line while they fit", () => {
  const { placed, rest, lanes } = layout([at("A", 100), at("B", 101), at("C", 130), at("D", 300), at("F", 1100), at("E", 1110)], 1120)

  assert.deepEqual(placed.map(named).sort(), [
    "A+B lane 1 right at 104",
    "C lane 0 right at 134",
    "D lane 0 right at 304",
    "E lane 1 left at 1046",
    "F lane 0 left at 1036",
  ])
  assert.deepEqual([rest, lanes], [[], 2])
})

test("two lines on one pixel show both codes, three the first and a count", () => {
  const width = (labels) => layout(labels, 1120).placed[0].width

  assert.deepEqual([width([at("A", 10)]), width([at("A", 10), at("B", 12)]), width([at("A", 10), at("B", 10), at("C", 11)])], [60, 128, 84])
})

test("what finds no lane is left over, and nothing is lost", () => {
  const many = Array.from({ length: 12 }, (_, k) => at(`m${k}`, 500 + 4 * k))
  const { placed, rest } = layout(many, 1120)

  assert.equal(placed.length, LANES)
  assert.equal(placed.flatMap((one) => one.ids).length + rest.length, 12)
})

/** A generator that repeats itself, so that a failure can be looked at. */
function* numbers(seed) {
  for (let state = seed; ; ) yield ((state = (state * 48271) % 2147483647) / 2147483647)
}

test("no two labels touch and no stem strikes through a label, whatever the lines", () => {
  const random = numbers(7)
  const next = () => random.next().value
  for (let round = 0; round < 400; round++) {
    const W = 300 + next() * 900
    const lines = Array.from({ length: 1 + Math.floor(next() * 20) }, (_, k) => at(`m${k}`, next() * W, 30 + next() * 60))
    const { placed } = layout(lines, W)
    for (const a of placed)
      for (const b of placed) {
        if (a === b) continue
        const touch = a.lane === b.lane && a.left < b.left + b.width && b.left < a.left + a.width
        const struck = b.lane > a.lane && b.x > a.left && b.x < a.left + a.width
        assert.ok(!touch && !struck, `round ${round}: ${named(a)} and ${named(b)}`)
      }
  }
})

test("a label of people is never merged and never left over, whatever the methods", () => {
  const random = numbers(11)
  const next = () => random.next().value
  for (let round = 0; round < 200; round++) {
    const people = [{ ...at("truth", next() * 400, 90), kind: "truth" }, { ...at("own", next() * 400), kind: "mark" }]
    const methods = Array.from({ length: 30 }, (_, k) => ({ ...at(`m${k}`, next() * 400), kind: "detector" }))
    const { placed, rest } = layout([...methods, ...people], 420)
    for (const { id } of people) assert.ok(placed.some(({ ids }) => ids.length === 1 && ids[0] === id), `round ${round}: ${id}`)
    assert.equal(placed.flatMap(({ ids }) => ids).length + rest.length, 32)
  }
})
