import assert from "node:assert/strict"
import { test } from "node:test"

import { movedIndex, pulse, gripIndex } from "../../../static/js/chart/touch-mark.js"

test("a finger near the mark takes hold of it, elsewhere it places one", () => {
  assert.equal(gripIndex(100, 120, 1), 120) // 20 pixels away
  assert.equal(gripIndex(100, 123, 1), 100)
  assert.equal(gripIndex(100, 260, 8), 260) // the same 20 pixels, eight iterations each
  assert.equal(gripIndex(100, null, 1), 100)
})

test("eight pixels of a finger are an iteration, within the series", () => {
  assert.deepEqual([7, 8, -7, -8, 25].map((by) => movedIndex(50, by, 100)), [50, 51, 50, 49, 53])
  assert.deepEqual([movedIndex(2, -80, 100), movedIndex(98, 80, 100)], [0, 99])
})

test("the device is pushed for 10 ms, unless it cannot or motion is to be reduced", () => {
  const pushed = []
  const before = [globalThis.matchMedia, globalThis.navigator]
  const set = (matches, device) => {
    globalThis.matchMedia = () => ({ matches })
    Object.defineProperty(globalThis, "navigator", { value: device, configurable: true })
  }
  const device = { vibrate: (ms) => pushed.push(ms) }
  set(false, {})
  pulse()
  set(true, device)
  pulse()
  assert.deepEqual(pushed, [])
  set(false, device)
  pulse()
  assert.deepEqual(pushed, [10])
  globalThis.matchMedia = before[0]
  Object.defineProperty(globalThis, "navigator", { value: before[1], configurable: true })
})
