import assert from "node:assert/strict"
import { test } from "node:test"

import { SCOPES, actionOf, nameOf, signs } from "../../../static/js/shared/keys.js"

/** Keys that stand twice in one scope; a prefix of two keys counts as the first. */
function duplicates(scope) {
  const all = SCOPES[scope].shortcuts.flatMap((one) => one.keys)
  return all.filter((one, at) => all.indexOf(one) !== at)
}

for (const scope of Object.keys(SCOPES))
  test(`no key does two things in scope ${scope}`, () => {
    assert.deepEqual(duplicates(scope), [])
  })

test("a duplicate would be found", () => {
  SCOPES.trial = { title: "Trial", shortcuts: [{ keys: ["a", "b"], does: "x", title: "" }, { keys: ["b"], does: "y", title: "" }] }

  assert.deepEqual(duplicates("trial"), ["b"])
  delete SCOPES.trial
})

test("a pressed key finds its action", () => {
  const pressed = [{ key: "ArrowLeft", shiftKey: true }, { key: " " }, { key: "Z", ctrlKey: true, shiftKey: true }, { key: "{", shiftKey: true }]

  assert.deepEqual(pressed.map(nameOf), ["Shift+ArrowLeft", "Space", "Mod+Shift+z", "{"])
  assert.deepEqual([actionOf("annotate", "Space"), actionOf("everywhere", "g d"), actionOf("series", "q")], ["mark", "go-data", undefined])
})

test("keys are printed by their signs", () => {
  assert.deepEqual(["Shift+ArrowLeft", "g h", "+", "Mod+z"].map(signs), [["⇧", "←"], ["g", "h"], ["+"], ["Ctrl", "z"]])
})
