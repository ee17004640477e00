import assert from "node:assert/strict"
import { afterEach, test } from "node:test"

import { PayloadError, WindowSource, extremes, load } from "../../../static/js/chart/payload.js"

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
  assert.deepEqual(first.points(1, 2, 100), { x: [0, 1, 2], y: [1, 2, 3], exact: true })
})

test("a failure is a sentence, and is tried again", async () => {
  serving([], 503)
  await assert.rejects(load(series("b", 3)), new PayloadError("The values did not arrive (the server answered 503).", 503))
  serving([1, 2])
  await assert.rejects(load(series("b", 3)), /not those of this series: found 2, expected 3/)
  serving([1, 2, 3])

  assert.equal((await load(series("b", 3))).n, 3)
})

test("no network is a sentence too", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch")
  }

  await assert.rejects(load(series("c", 3)), /The values did not arrive \(network\)\./)
})

/** As the server sends extremes: values, then their indices. */
const sent = (y, x) => new Uint8Array([...new Uint8Array(Float32Array.from(y).buffer), ...new Uint8Array(Uint32Array.from(x).buffer)]).buffer

test("extremes are drawn at their true indices", () => {
  const { x, y } = extremes(sent([1, 9, 4], [101, 102, 654_321]))

  assert.deepEqual([[...x], [...y]], [[101, 102, 654_321], [1, 9, 4]])
})

test("very many values come as buckets, then finer, then each by itself", async () => {
  const query = (url) => Object.fromEntries(new URL(url, "http://x").searchParams)
  const asked = serving((url) => {
    const { from, to, buckets } = query(url)
    const y = Array.from({ length: buckets === "0" ? to - from : 2 * buckets }, (_, at) => at)
    return buckets === "0" ? Float32Array.from(y).buffer : sent(y, y)
  })
  const source = await load(series("d", 1_000_000))

  assert.deepEqual([source instanceof WindowSource, query(asked[0])], [true, { from: "0", to: "1000000", buckets: "4096" }])
  assert.equal(source.at(5), undefined)
  assert.equal(await source.refine(400_000, 500_000, 1200), true)
  assert.deepEqual(query(asked[1]), { from: "387500", to: "512500", buckets: "1200" })
  assert.equal(await source.refine(400_000, 500_000, 1200), false)
  assert.equal(await source.refine(400_000, 401_000, 1200), true)
  assert.deepEqual(query(asked[2]), { from: "399875", to: "401125", buckets: "0" })
  assert.deepEqual([source.at(399_880), source.points(400_000, 401_000).exact, source.points(0, 1_000_000).x.length], [5, true, 8192])
})
