import assert from "node:assert/strict"
import { test } from "node:test"

import { Tabs } from "../../../static/js/shared/tabs.js"

/** Channels that hear each other at once, as those of a browser do a moment later. */
function air() {
  const all = []
  return () => {
    const channel = { onmessage: null, postMessage: (data) => all.filter((other) => other !== channel).forEach((other) => other.onmessage?.({ data })) }
    all.push(channel)
    return channel
  }
}

test("tabs know how many others there are", () => {
  const open = air()
  const seen = { one: 0, two: 0 }
  const one = new Tabs("ana", open)
  one.onOthers = (others) => { seen.one = others }

  const two = new Tabs("ana", open)
  two.onOthers = (others) => { seen.two = others }
  new Tabs("ana", open)

  assert.equal(seen.one, 2)
  assert.equal(seen.two, 2)
})

test("what one tab tells, the others hear, and it does not hear itself", () => {
  const open = air()
  const heard = []
  const [one, two] = [new Tabs("ana", open), new Tabs("ana", open)]
  one.onNews = (news) => heard.push(["one", news])
  two.onNews = (news) => heard.push(["two", news])

  one.tell({ outcome: "saved" })

  assert.deepEqual(heard, [["two", { outcome: "saved" }]])
})
