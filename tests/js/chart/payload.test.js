import assert from "node:assert/strict"
import { afterEach, test } from "node:test"

import { PayloadError } from "../../../static/js/chart/payload-bytes.js"
import { load } from "../../../static/js/chart/payload.js"
import { WindowSource, received } from "../../../static/js/chart/window-source.js"

const real = globalThis.fetch
afterEach(() => (globalThis.fetch = real))

/** A server that answers every address with these values, and remembers what it was asked. */
function serving(values, status = 200) {
  const asked = []
  globalThis.fetch = async (url) => {
    asked.push(url)
    return { ok: status < 400, status, arrayBuffer: async () => typeof values === "function" ? values(url) : Float32Array.from(values).buffer }
  }
  return asked
}

const series = (digest, n, more = {}) => ({ n, digest, payloadUrl: `/payload/${digest}.f32`, windowUrl: `/payload/${digest}/window`, ...more })

test("values are fetched once by digest", async () => {
  const asked = serving([1, 2, 3])
  const [first, second] = await Promise.all([load(series("a", 3)), load(series("a", 3))])

  assert.deepEqual([asked, first === second, first.at(2)], [["/payload/a.f32"], true, 3])
  assert.deepEqual(first.points(1, 2, 100), { x: [0, 1, 2], y: [1, 2, 3], exact: true, bands: null })
})

test("a failure is a sentence, and is tried again", async () => {
  serving([], 503)
  await assert.rejects(load(series("b", 3)), new PayloadError("The values were not loaded (the server answered 503).", 503))
  serving([1, 2])
  await assert.rejects(load(series("b", 3)), /not those of this series: found 2, expected 3/)
  serving([1, 2, 3])

  assert.equal((await load(series("b", 3))).n, 3)
})

test("no network is a sentence too", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch")
  }

  await assert.rejects(load(series("c", 3)), /The values were not loaded \(network\)\./)
})

/** As the server sends buckets: five quantiles, least and greatest of each, then their places. */
const sent = (rows, places) => new Uint8Array([...new Uint8Array(Float32Array.from(rows.flat()).buffer), ...new Uint8Array(Uint32Array.from(places.flat()).buffer)]).buffer

test("extremes are drawn at their true indices, bands at the middle of their buckets", () => {
  const { x, y, bands } = received(sent([[2, 4], [2, 4], [3, 4], [4, 4], [5, 4], [1, 4], [9, 4]], [[102, 110], [101, 110]]), 100, 120)

  assert.deepEqual([x, y], [[101, 102, 110], [9, 1, 4]])
  assert.deepEqual([[...bands.x], [...bands.quantiles[4]]], [[104.5, 114.5], [5, 4]])
})

const query = (url) => Object.fromEntries(new URL(url, "http://x").searchParams)

/** A server of values that are their own indices. */
const server = () => serving((url) => {
  const { from, to, buckets } = query(url)
  if (buckets === undefined) return Float32Array.from([-Number(from), to, 7, 8]).buffer
  const count = buckets === "0" ? to - from : Number(buckets)
  const row = Array.from({ length: count }, (_, at) => Number(from) + at)
  return buckets === "0" ? Float32Array.from(row).buffer : sent(Array(7).fill(row), [row, row])
})

test("very many values come as buckets, then finer, then each by itself", async () => {
  const asked = server()
  const source = await load(series("d", 1_000_000))

  assert.deepEqual([source instanceof WindowSource, source.band], [true, [7, 8]])
  assert.deepEqual(asked.map(query), [{ from: "0", to: "1000000", buckets: "1024" }, { from: "0", to: "1000000" }])
  assert.equal(source.at(5), undefined)
  assert.equal(await source.refine(400_000, 500_000, 1200), true)
  assert.deepEqual(query(asked[2]), { from: "387500", to: "512500", buckets: "750" })
  assert.equal(await source.refine(400_000, 500_000, 1200), false)
  assert.equal(await source.refine(400_000, 401_000, 1200), true)
  assert.deepEqual(query(asked[3]), { from: "397625", to: "403375", buckets: "0" })
  assert.deepEqual([source.at(399_880), source.points(400_000, 401_000).exact, source.points(0, 1_000_000).x.length], [399_880, true, 1024])
})

test("the range of a window comes from single values: the server's, or those at hand", async () => {
  const asked = server()
  const source = await load(series("e", 1_000_000))

  assert.deepEqual([source.range(0, 1_000_000), source.range(100_000, 300_000)], [[-0, 1_000_000], undefined])
  assert.equal(await source.refine(100_000, 300_000, 1200, true), true)
  assert.deepEqual(source.range(100_000, 300_000), [-100_000, 300_000])
  assert.equal(await source.refine(100_000, 300_000, 1200, true), false)
  await source.refine(5000, 5020, 1200, true)
  assert.equal(asked.map(query).filter(({ buckets }) => !buckets).length, 2)
  const [low, high] = source.range(5000, 5020)
  assert.ok(low > 4990 && low < 5010 && high > 5010 && high < 5030)
})

test("single values around a place are fetched for the loupe, whatever is in view", async () => {
  const asked = server()
  const source = await load(series("f", 1_000_000))

  await source.near(5, 86)
  await source.near(900, 981)

  assert.deepEqual(asked.slice(2).map(query), [{ from: "0", to: "1086", buckets: "0" }])
  assert.deepEqual([source.at(0), source.at(1085), source.at(1086)], [0, 1085, undefined])
  assert.equal(source.points(0, 1_000_000).x.length, 1024)
})
