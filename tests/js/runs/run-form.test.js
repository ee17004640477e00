import assert from "node:assert/strict"
import { test } from "node:test"

import { differs, half, ticks } from "../../../static/js/runs/run-form.js"

test("a button ticks the methods of its group", () => {
  assert.deepEqual(["quick published", "quick", ""].map((groups) => ticks("quick", groups)), [true, true, false])
  assert.deepEqual(["quick published", "quick", ""].map((groups) => ticks("all", groups)), [true, true, true])
  assert.deepEqual(["quick published", "quick", ""].map((groups) => ticks("none", groups)), [false, false, false])
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
