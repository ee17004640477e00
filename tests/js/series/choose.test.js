import assert from "node:assert/strict"
import { test } from "node:test"

import { addressWith, idOf, chosenWords } from "../../../static/js/series/choose.js"

test("a row is called what the last part of its link says", () => {
  assert.deepEqual(["/s/a/data/b/b/x1y2/", "/s/a/series/z9/"].map(idOf), ["x1y2", "z9"])
})

test("a link takes what is chosen along, and leaves it again", () => {
  const taken = addressWith("?dataset=demo", new Set(["x1", "z9"]), "night 2")

  assert.equal(taken, "?dataset=demo&only=x1+z9&recording=night+2")
  assert.equal(addressWith(taken, [], ""), "?dataset=demo")
})

test("it says when no more fit into an address", () => {
  assert.deepEqual([1, 250].map(chosenWords), ["1 chosen", "250 chosen, no more fit"])
})
