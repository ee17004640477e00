import assert from "node:assert/strict"
import { test } from "node:test"

import { placesOf, Queue } from "../../../static/js/annotate/queue.js"
import { Ahead } from "../../../static/js/shared/ahead.js"

/** "7 3! 5s1 1": the person's own order; ! is done, s1 was skipped first. */
const queue = (text) => new Queue(text.split(" ").map((word) => {
  const [, position, done, skipped] = /^(\d+)(!?)(?:s(\d+))?$/.exec(word)
  return { position: Number(position), done: done === "!", skipped: Number(skipped ?? 0) }
}))

test("open series come onward from here, then from the start, skipped ones last", () => {
  assert.deepEqual(queue("7 3! 5s2 1 2s1 4").ahead(1), [4, 7, 2, 5])
  assert.deepEqual(queue("7 3! 5 1").ahead(), [7, 5, 1])
})

test("the page's lists are places", () => {
  assert.deepEqual(placesOf({ order: [7, 3, 5], done: [3], skipped: [5, 7] }), [
    { position: 7, done: false, skipped: 2 }, { position: 3, done: true, skipped: 0 }, { position: 5, done: false, skipped: 1 },
  ])
})

test("the next one is never the one just answered, unless nothing else is open", () => {
  const two = queue("1 2")

  assert.equal(two.next(1), 2)
  two.finish(2)
  assert.equal(two.next(1), 1)
  two.finish(1)
  assert.equal(two.next(1), null)
})

test("a skipped series goes behind those skipped before", () => {
  const all = queue("1 2 3")

  all.skip(1)
  all.skip(2)

  assert.deepEqual(all.ahead(3), [1, 2])
  assert.equal(all.skipped, 2)
})

test("counts follow answers and refusals", () => {
  const all = queue("1! 2 3s1")
  all.finish(3)
  assert.deepEqual([all.done, all.toGo, all.skipped], [2, 1, 0])

  all.reopen(3)

  assert.deepEqual([all.done, all.toGo], [1, 2])
})

test("brackets walk the person's own order and stop at its ends", () => {
  const all = queue("7 3! 5")

  assert.deepEqual([all.beside(7, 1), all.beside(3, 1), all.beside(5, 1), all.beside(7, -1)], [3, 5, null, null])
  assert.deepEqual(all.positions, [3, 5, 7])
})

test("what comes next is fetched once and ahead, and let go when far away", async () => {
  const fetched = []
  const ahead = new Ahead(async (position) => fetched.push(position) && `series ${position}`, 2)

  ahead.prepare([4, 5, 6])
  ahead.prepare([4, 5, 6])
  assert.deepEqual(fetched, [4, 5])
  assert.equal(await ahead.get(4), "series 4")
  ahead.prepare([5, 6], [4])
  await ahead.get(4)
  ahead.prepare([6, 7])
  await ahead.get(4)

  assert.deepEqual(fetched, [4, 5, 6, 7, 4])
})

test("a fetch that failed is tried again", async () => {
  let tries = 0
  const ahead = new Ahead(async () => {
    if (++tries === 1) throw new TypeError("no network")
    return "here"
  })

  await assert.rejects(ahead.get(1))

  assert.equal(await ahead.get(1), "here")
})
