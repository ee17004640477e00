import assert from "node:assert/strict"
import { test } from "node:test"

import { meaning, pressed } from "../../../static/js/shared/keyboard.js"

/** An element of one kind, as far as the selectors of the module go. */
const element = (kind) => ({ matches: (selector) => selector.split(", ").some((part) => part.startsWith(kind)) })
const [BODY, BUTTON, NOTE, CHART, REGION] = ["body", "button", "textarea", "[role=application]", "section"].map(element)
const PAGE = { singleKeys: true, dialog: false }
const press = (key, target = BODY, more = {}, page = {}) => meaning({ key, target, ...more }, "annotate", { ...PAGE, ...page })
const review = (key, target = BODY, more = {}, page = {}) => meaning({ key, target, ...more }, "review", { ...PAGE, ...page })

test("keys mean what the key map says", () => {
  const keys = ["n", "u", "f", "c", "s", "b", "g", "[", "]", "Enter", "Backspace", "ArrowLeft", "Home", "PageUp", " "]

  assert.deepEqual(keys.map((key) => press(key)), [
    "never", "unclear", "unsure", "note", "skip", "last-saved", "jump", "previous", "next", "save", "clear", "back-1", "first", "on-100", "mark",
  ])
  assert.deepEqual(["j", "k", "a", "r", "x", "s", "c", "d", "b", "3", "Backspace", "ArrowRight", "z", "p"].map((key) => review(key)), [
    "next", "previous", "accept", "look-again", "exclude", "skip", "note", "detectors", "present", "mark-3", "undo", "on-1", "zoom-mark", "range-plateau",
  ])
  assert.equal(press("ArrowRight", BODY, { shiftKey: true }), "on-10")
  assert.equal(press("z", BODY, { ctrlKey: true }), "undo")
  assert.equal(press("Z", BODY, { metaKey: true, shiftKey: true }), "redo")
})

test("a focused control keeps the keys that it has a use for, and no others", () => {
  assert.deepEqual([" ", "Enter", "ArrowLeft", "Home", "PageDown"].map((key) => press(key, BUTTON)), ["", "", "", "", ""])
  assert.deepEqual(["n", "Backspace"].map((key) => press(key, BUTTON)), ["never", "clear"])
})

test("keys that move are the chart's on the chart and on the page, and of nothing that scrolls", () => {
  assert.deepEqual([BODY, CHART, REGION].map((target) => press("ArrowRight", target)), ["on-1", "on-1", ""])
})

test("in a text field only Escape and Ctrl+Enter are the page's", () => {
  assert.deepEqual(["n", "Enter", "Backspace", "ArrowLeft", "?"].map((key) => press(key, NOTE)), ["", "", "", "", ""])
  assert.deepEqual([press("Escape", NOTE), review("Escape", NOTE)], ["leave-field", "leave-field"])
  assert.deepEqual([press("Enter", NOTE, { ctrlKey: true }), review("Enter", NOTE, { ctrlKey: true })], ["save", "send"])
  assert.equal(press("z", NOTE, { ctrlKey: true }), "")
})

test("a held key moves on and on, and decides once", () => {
  assert.deepEqual([press("ArrowRight", BODY, { repeat: true }), press("z", BODY, { ctrlKey: true, repeat: true })], ["on-1", "undo"])
  assert.deepEqual(["Enter", "n", "s", "Backspace"].map((key) => press(key, BODY, { repeat: true })), ["", "", "", ""])
  assert.deepEqual(["a", "j", "Backspace"].map((key) => review(key, BODY, { repeat: true })), ["", "", ""])
})

test("single keys can be switched off; arrows, Enter and Backspace stay", () => {
  const off = (key) => press(key, BODY, {}, { singleKeys: false })

  assert.deepEqual(["n", "u", "[", "0", "?"].map(off), ["", "", "", "", ""])
  assert.deepEqual(["ArrowLeft", "Enter", "Backspace"].map(off), ["back-1", "save", "clear"])
})

test("nothing is the page's with Alt, in a dialog, while a letter is composed, or where another part has acted", () => {
  assert.equal(press("ArrowLeft", BODY, { altKey: true }), "")
  assert.equal(press("n", BODY, {}, { dialog: true }), "")
  assert.deepEqual([press("n", BODY, { isComposing: true }), press("n", BODY, { defaultPrevented: true })], ["", ""])
  assert.equal(pressed({ key: "n", target: null }, PAGE), "")
})
