import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"

import { geometry } from "../../../static/js/chart/figure.js"
import { iterations, linear, logarithmic, short, stepFrom } from "../../../static/js/chart/ticks.js"
import { precision, toIteration, toPixel } from "../../../static/js/chart/scale.js"
import { axis, clamp, nextMode, pan, reveal, zoom } from "../../../static/js/chart/view.js"
import { DRAW_ALL, bucketFigures, bucketsIn, drawnPoints } from "../../../static/js/chart/decimate.js"
import { differenceWords, percent, si, formatSigned, formatWhole } from "../../../static/js/shared/format.js"
import { RULE, band, bandPixels, cutOff, extentOf, padded, plateau, robust, runningMedian } from "../../../static/js/chart/range.js"

const close = (found, expected) => found.forEach((one, at) => assert.ok(Math.abs(one - expected[at]) < 1e-9, `${found} is not ${expected}`))
const times = (count, value) => Array.from({ length: count }, () => value)

const shared = (name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"))
const unfolded = (parts) => parts.flatMap(([values, count]) => times(count, values).flat())
const ranges = shared("range_vectors.json")

test("the server is held to the same rule of the range", () => {
  assert.equal(RULE, ranges.rule)
})

for (const { name, parts, range, band: expected, cut } of ranges.vectors)
  test(`the range of a vector that the server is held to: ${name}`, () => {
    const values = unfolded(parts)
    const found = robust(values)
    const { above, below } = cutOff(values.map((_, at) => at), values, found)

    close(found, range)
    assert.deepEqual([band(values), above.length + below.length], [expected, cut])
  })

test("running medians are those of sorted lists, in any order of values", () => {
  const values = Array.from({ length: 200 }, (_, at) => (at * 7919) % 101)
  const middle = (part) => part.sort((a, b) => a - b) && (part[(part.length - 1) >> 1] + part[part.length >> 1]) / 2

  assert.deepEqual([...runningMedian(values)], values.map((_, at) => middle(values.slice(Math.max(0, at - 7), at + 8))))
})

test("the plateau fills its own range, and its height in another one is told in pixels", () => {
  close(plateau([4, 8]), [2.7, 9.3])
  assert.equal(bandPixels([4, 8], { range: [0, 40], log: false, height: 100 }), 10)
  assert.equal(bandPixels([10, 100], { range: [0, 4], log: true, height: 100 }), 25)
  close(padded(-2, -2), [-2.1, -1.9])
})

test("what a range cuts off is counted, and the farthest named", () => {
  const { above, below, highest, lowest } = cutOff([7, 8, 9, 10], [5, 50, 1, 70], [2, 20])

  assert.deepEqual([above, below, highest, lowest], [[8, 10], [9], { index: 10, value: 70 }, { index: 9, value: 1 }])
  assert.deepEqual(extentOf([3, 9, 1, 2]), [1, 9])
})

for (const { name, values, window: [a, b, w], ...expected } of shared("bucket_vectors.json"))
  test(`the buckets of a vector that the server is held to: ${name}`, () => {
    const { quantiles, least, greatest } = bucketFigures(Float64Array.from(values), a, b, w)

    assert.deepEqual({ quantiles: quantiles.map((row) => [...row]), least: [...least], greatest: [...greatest] }, expected)
  })

test("few values are drawn one by one, many as bands with their extremes in order", () => {
  const y = new Float32Array(1_000_000).fill(1)
  y[777_777] = 2
  const many = drawnPoints(y, 0, y.length, 1120)
  const few = drawnPoints(y, 5, 5 + DRAW_ALL, 100, 50)

  assert.deepEqual([many.x.length, many.bands.x.length, many.exact], [561, 560, false])
  assert.equal(many.y[many.x.indexOf(777_777)], 2)
  assert.ok(many.x.every((index, at) => !at || index > many.x[at - 1]))
  assert.deepEqual([many.bands.x[0], many.bands.quantiles[4][435]], [892, 1])
  assert.deepEqual([few.x.length, few.x[0], few.bands, few.exact], [DRAW_ALL, 55, null, true])
  assert.deepEqual([bucketsIn(6001, 1176), bucketsIn(200_000, 1176), bucketsIn(10, 100)], [300, 588, 1])
})

test("numbers have four digits and a prefix", () => {
  const written = [2e-9, 6.0791e-8, 8.65659687e-6, 0.00099996, 1.6584278, 3661.2, 0].map((x) => si(x, "s"))

  assert.deepEqual(written, ["2.000 ns", "60.79 ns", "8.657 µs", "1.000 ms", "1.658 s", "3 661 s", "0 s"].map((one) => one.replace("3 6", "3\u20096").replace(/ (?=\D*$)/, "\u00a0")))
  assert.deepEqual([si(1234567, "op/s"), si(0.5, "op/s")], ["1.235\u00a0Mop/s", "0.5000\u00a0op/s"])
  assert.deepEqual([si(-12e-9, "s"), si(8.5, ""), si(1.5e-6, "s/op")], ["\u221212.00\u00a0ns", "8.500", "1.500\u00a0µs/op"])
})

test("counts, signs and shares", () => {
  assert.deepEqual([formatWhole(3000), formatWhole(81519), formatSigned(140), formatSigned(-12), formatSigned(0)], ["3000", "81\u2009519", "+140", "\u221212", "0"])
  assert.deepEqual([percent(0.695), differenceWords(1.019, 1), differenceWords(0.5, 1), differenceWords(1, 1)], ["69.5\u00a0%", "1.9\u00a0% above", "50.0\u00a0% below", "at"])
})

test("a pixel is the nearest iteration", () => {
  const whole3000 = { left: 60, width: 1120, range: [-0.5, 2999.5], n: 3000 }
  const zoomed = { ...whole3000, range: [99.5, 199.5] }

  assert.deepEqual([60, 61, 620, 1179, 1180, 1300].map((px) => toIteration(px, whole3000)), [0, 2, 1500, 2997, 2999, 2999])
  assert.deepEqual([60, 620, 1180].map((px) => toIteration(px, zoomed)), [100, 150, 200])
  assert.equal(toPixel(1499.5, whole3000), 560)
  assert.deepEqual([precision(whole3000), precision(zoomed)], [1, 0])
})

test("a window stays within the series and keeps at least twenty iterations", () => {
  assert.deepEqual([clamp(-5, 10, 3000), clamp(2990, 3050, 3000), clamp(5, 9, 12)], [[0, 20], [2940, 3000], [0, 12]])
  assert.deepEqual([pan([100, 200], 50, 3000), pan([100, 200], -500, 3000)], [[150, 250], [0, 100]])
  assert.deepEqual([reveal([0, 100], 50, 3000), reveal([0, 100], 500, 3000)], [[0, 100], [450, 550]])
  assert.deepEqual(axis([100, 200]), [99.5, 199.5])
})

test("zooming keeps the iteration under the pointer and always gets on", () => {
  assert.deepEqual(zoom([0, 3000], 1500, 3000), [250, 2750])
  assert.deepEqual(zoom([0, 3000], 0, 3000), [0, 2500])
  assert.deepEqual(zoom([10, 30], 20, 3000), [10, 30])
  assert.deepEqual(zoom([0, 21], 0, 3000), [0, 20])
  assert.deepEqual(zoom([0, 20], 10, 3000, 1 / 1.2), [0, 24])
})

test("the range button goes round", () => {
  assert.deepEqual(["robust", "window", "full", "plateau"].map(nextMode), ["window", "full", "plateau", "robust"])
})

test("an axis has one prefix and one number of decimals", () => {
  assert.deepEqual(linear(450e-9, 555e-9, 358, "s"), { values: [460e-9, 480e-9, 500e-9, 520e-9, 540e-9].map((v) => Math.round(v * 1e9) * 10 ** -9), texts: ["460", "480", "500", "520", "540"], unit: "ns" })
  assert.deepEqual(linear(1.568e-3, 1.741e-3, 306, "s").texts, ["1.60", "1.65", "1.70"])
  assert.deepEqual(linear(-1, 1, 240, "").texts, ["\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"])
  assert.deepEqual([stepFrom(0.021), stepFrom(2.1), stepFrom(0.3), stepFrom(7)], [0.025, 2.5, 0.5, 10])
})

test("a logarithmic axis has ones, twos and fives while there is room", () => {
  assert.deepEqual(logarithmic(0.9e-3, 22e-3, 300, "s").texts, ["1", "2", "5", "10", "20"])
  assert.deepEqual(logarithmic(1e-9, 1, 200, "s").texts.length <= 7, true)
  assert.deepEqual(logarithmic(1.01e-3, 1.09e-3, 300, "s").texts, ["1.02", "1.04", "1.06", "1.08"])
})

test("figures of an axis are short: a prefix where the unit takes one, else a power of ten", () => {
  const of = (lo, hi, unit) => [linear(lo, hi, 300, unit).texts.at(-1), linear(lo, hi, 300, unit).unit]

  assert.deepEqual(of(1.42e-5, 1.58e-5, "s"), ["15.5", "µs"])
  assert.deepEqual(of(1.42e-5, 1.58e-5, ""), ["15.5", "×10⁻⁶"])
  assert.deepEqual(of(1.42e-5, 1.58e-5, "op/s"), ["15.5", "×10⁻⁶ op/s"])
  assert.deepEqual(of(1.42e6, 1.58e6, "op/s"), ["1.55", "Mop/s"])
  assert.deepEqual(of(1.42e-14, 1.58e-14, "s"), ["15.5", "×10⁻¹⁵ s"])
  assert.deepEqual(of(0, 2e13, "op/s"), ["20", "×10¹² op/s"])
  assert.deepEqual(of(-3e6, 3e6, "MB"), ["2", "×10⁶ MB"])
  assert.deepEqual([of(0, 0.5, "op/s"), of(0, 0.05, "")], [["0.5", "op/s"], ["0.05", ""]])
  assert.deepEqual(logarithmic(1e-9, 1, 100, "op/s").texts, ["10⁻⁹", "10⁻⁶", "0.001", "1"])
  assert.deepEqual([2e-6, -1.5e-9, 0, 12345, 0.5].map(short), ["2·10⁻⁶", "−1.5·10⁻⁹", "0", "12300", "0.5"])
})

test("values are drawn where their figures say, whatever the axis is multiplied by", () => {
  for (const unit of ["", "s", "op/s", "MB"])
    for (const power of [-15, -6, -2, 0, 3, 4, 7, 13]) {
      const { values, texts } = linear(1.2 * 10 ** power, 9.8 * 10 ** power, 300, unit)
      const ratios = values.map((value, at) => value / Number(texts[at]))
      assert.ok(texts.length >= 3 && texts.every((text) => text.length <= 5), `${unit} ${power}: ${texts}`)
      assert.ok(ratios.every((one) => Math.abs(one / ratios[0] - 1) < 1e-9), `${unit} ${power}: ${texts}`)
    }
})

test("the plot leaves room for the longest figure beside it", () => {
  const frame = { width: 1000, plotHeight: 300, lanes: 1, ticks: true }

  assert.deepEqual([0, 34, 34.2, 90].map((labels) => geometry({ ...frame, labels }).left), [40, 40, 41, 96])
  assert.deepEqual([0, 90].map((labels) => geometry({ ...frame, labels }).width), [944, 888])
})

test("the last iteration is always labelled, and nothing stands on it", () => {
  assert.deepEqual(iterations(0, 3000, 3000, 1176).values, [0, 500, 1000, 1500, 2000, 2500, 2999])
  assert.deepEqual(iterations(0, 3000, 3000, 310, 85).values, [0, 1000, 2000, 2999])
  assert.deepEqual(iterations(0, 3010, 3010, 1176).values.slice(-2), [2500, 3009])
  assert.deepEqual(iterations(100, 120, 3000, 1176).values, [100, 102, 104, 106, 108, 110, 112, 114, 116, 118])
  assert.deepEqual(iterations(0, 1, 1, 1176).values, [0])
})
