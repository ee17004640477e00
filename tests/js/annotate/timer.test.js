import assert from "node:assert/strict"
import { test } from "node:test"

import { Timer } from "../../../static/js/annotate/timer.js"

function at() {
  const clock = { ms: 0 }
  const timer = new Timer(() => clock.ms)
  timer.restart(true)
  return { timer, wait: (seconds) => { clock.ms += seconds * 1000 } }
}

test("time counts while the page is looked at", () => {
  const { timer, wait } = at()

  wait(12.34)

  assert.equal(timer.seconds, 12.3)
})

test("time in another window does not count", () => {
  const { timer, wait } = at()

  wait(10)
  timer.attend(false)
  wait(500)
  timer.attend(true)
  wait(5)

  assert.equal(timer.seconds, 15)
})

test("of idleness the first minute counts", () => {
  const { timer, wait } = at()

  wait(20)
  timer.touch()
  wait(600)
  timer.touch()
  wait(7)

  assert.equal(timer.seconds, 20 + 60 + 7)
})

test("asking for the time in between does not change it", () => {
  const { timer, wait } = at()

  wait(40)
  assert.equal(timer.seconds, 40)
  wait(40)

  assert.equal(timer.seconds, 60)
})

test("a new chart starts at zero, and a chart drawn in the background waits", () => {
  const { timer, wait } = at()

  wait(9)
  timer.restart(false)
  wait(9)

  assert.equal(timer.seconds, 0)
})
