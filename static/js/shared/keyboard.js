// Keys of every page: which of them are the page's, and what they mean in its scope of the key map.

import { nameOf, shortcutOf } from "./keys.js";

const WRITING = ["input:not([type=checkbox], [type=radio], [type=range])", "textarea", "select",
  "[contenteditable]"].join(", ")
const CONTROL = "button, a[href], summary, input, [role=button]"
const PRESSED_BY_ENTER = "button, a[href], summary, [role=button]"
const MOVES = /^(Shift\+)?Arrow|^(Home|End|Page(Up|Down))$/
/** Parts whose moving keys are the page's: the chart, a grid of outlines; nothing that scrolls. */
const MOVED = "body, #content, [role=application], [data-outlines] input"

const stateOfPage = () => ({
  singleKeys: document.documentElement.dataset.singleKeys !== "off",
  dialog: Boolean(document.querySelector("dialog[open]")),
})

/** True if the element with the focus has a use of its own for a key. */
function isTaken(name, target) {
  if (target.matches(WRITING)) return name !== "Escape" && name !== "Mod+Enter"
  if (MOVES.test(name)) return !target.matches(MOVED)
  if (name === "Enter") return target.matches(PRESSED_BY_ENTER)
  return name === "Space" && target.matches(CONTROL)
}

/** Name of a key that is the page's; "" where it belongs to a field, a control, a dialog or the
 * browser, or is a single letter and the person has switched those off. Pure with a state given. */
export function pressed(event, { singleKeys, dialog } = stateOfPage()) {
  if (event.defaultPrevented || event.isComposing || event.altKey || dialog) return ""
  const name = nameOf(event)
  if (!event.target?.matches || isTaken(name, event.target)) return ""
  return !singleKeys && name.length === 1 ? "" : name
}

/** The action of a pressed key in a scope, or ""; a key that is held acts once, or on and on. */
export function meaning(event, scope, state = stateOfPage()) {
  const shortcut = shortcutOf(scope, pressed(event, state))
  return shortcut && (shortcut.held || !event.repeat) ? shortcut.does : ""
}

/**
 * Listens for the keys of a scope.
 * @param {string} scope
 * @param {(action: string, held: boolean) => unknown} act true if it did something
 * @param {{capture?: boolean}} [how] capture: before anything else hears them
 */
export function onKeys(scope, act, { capture = false } = {}) {
  const hear = (event) => {
    const action = meaning(event, scope)
    if (!action || !act(action, event.repeat)) return
    event.preventDefault()
    if (capture) event.stopPropagation()
  }
  window.addEventListener("keydown", hear, { capture })
}
