import assert from "node:assert/strict"
import { test } from "node:test"

import { countWords, differs, half, sameMethods } from "../../../static/js/runs/run-form.js"

test("a button is pressed while exactly its methods are chosen", () => {
  assert.equal(sameMethods(["sdm", "kelly"], ["kelly", "sdm"]), true)
  assert.equal(sameMethods(["sdm"], ["kelly", "sdm"]), false)
  assert.equal(sameMethods(["sdm", "kelly"], ["sdm"]), false)
  assert.equal(sameMethods([], []), true)
})

test("a family says how many of its methods are chosen", () => {
  assert.deepEqual([countWords(3, 5), countWords(5, 5), countWords(0, 5)], ["3 of 5", "5", "0 of 5"])
})

test("a family is ticked with all its methods, and half with some", () => {
  assert.deepEqual(half([true, true]), { checked: true, indeterminate: false })
  assert.deepEqual(half([true, false]), { checked: false, indeterminate: true })
  assert.deepEqual(half([]), { checked: false, indeterminate: false })
})

test("a parameter differs from its default by its value, not by its spelling", () => {
  assert.equal(differs([{ value: "500", standard: "500" }, { value: "", standard: "3" }]), false)
  assert.equal(differs([{ value: "200.0", standard: "200" }]), false)
  assert.equal(differs([{ value: "normal", standard: "l2" }]), true)
  assert.equal(differs([{ value: "501", standard: "500" }]), true)
})
