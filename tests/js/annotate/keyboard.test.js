import assert from "node:assert/strict"
import { test } from "node:test"

import { meaning } from "../../../static/js/annotate/keyboard.js"

/** An element of one kind, as far as the selectors of the module go. */
const element = (kind) => ({ matches: (selector) => selector.split(", ").some((part) => part.startsWith(kind)) })
const BODY = element("body")
const BUTTON = element("button")
const NOTE = element("textarea")
const on = { singleKeys: true }
const press = (key, target = BODY, more = {}) => meaning({ key, target, ...more }, on)

test("keys mean what the key map says", () => {
  const keys = ["n", "u", "f", "c", "s", "b", "g", "[", "]", "Enter", "Backspace", "ArrowLeft", "Home", "PageUp", " "]

  assert.deepEqual(keys.map((key) => press(key)), [
    "never", "unclear", "unsure", "note", "skip", "last-saved", "jump", "previous", "next", "save", "clear", "back-1", "first", "on-100", "mark",
  ])
  assert.equal(press("ArrowRight", BODY, { shiftKey: true }), "on-10")
  assert.equal(press("z", BODY, { ctrlKey: true }), "undo")
  assert.equal(press("Z", BODY, { metaKey: true, shiftKey: true }), "redo")
})

test("a focused control keeps the keys that it has a use for, and no others", () => {
  assert.deepEqual([" ", "Enter", "ArrowLeft", "Home", "PageDown"].map((key) => press(key, BUTTON)), ["", "", "", "", ""])
  assert.deepEqual(["n", "Backspace"].map((key) => press(key, BUTTON)), ["never", "clear"])
})

test("in a text field only Escape and Ctrl+Enter are the page's", () => {
  assert.deepEqual(["n", "Enter", "Backspace", "ArrowLeft", "?"].map((key) => press(key, NOTE)), ["", "", "", "", ""])
  assert.equal(press("Escape", NOTE), "leave-field")
  assert.equal(press("Enter", NOTE, { ctrlKey: true }), "save")
  assert.equal(press("z", NOTE, { ctrlKey: true }), "")
})

test("a held key moves on and on, and saves once", () => {
  assert.equal(press("ArrowRight", BODY, { repeat: true }), "on-1")
  assert.deepEqual(["Enter", "n", "s", "Backspace"].map((key) => press(key, BODY, { repeat: true })), ["", "", "", ""])
})

test("single keys can be switched off; arrows, Enter and Backspace stay", () => {
  const off = (key) => meaning({ key, target: BODY }, { singleKeys: false })

  assert.deepEqual(["n", "u", "[", "0", "?"].map(off), ["", "", "", "", ""])
  assert.deepEqual(["ArrowLeft", "Enter", "Backspace"].map(off), ["back-1", "save", "clear"])
})

test("combinations with Alt are the browser's", () => {
  assert.equal(press("ArrowLeft", BODY, { altKey: true }), "")
})
