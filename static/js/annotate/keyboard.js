// @ts-check
// Keys of the annotate page, as the key map names them.

import { actionOf, nameOf } from "../keys.js";

const WRITING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]"
const CONTROL = "button, a[href], summary, input, [role=button]"
const NATIVE = new Set(["Space", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight", "Home", "End", "PageUp", "PageDown"])
// A key that is held does these again and again; everything else once a press.
const REPEATS = /^(back|on)-|^(first|last|undo|redo|zoom-in|zoom-out|pan-left|pan-right)$/

/**
 * The action that a key means here, or "" where the key belongs to something else. Pure but for `matches`.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean, repeat?: boolean, target: {matches: (selector: string) => boolean}}} event
 * @param {{singleKeys: boolean}} how
 */
export function meaning(event, { singleKeys }) {
  const name = nameOf(event)
  if (name === "Mod+Enter") return event.repeat ? "" : "save"
  if (event.altKey) return ""
  if (event.target.matches(WRITING)) return name === "Escape" ? "leave-field" : ""
  if (event.target.matches(CONTROL) && (NATIVE.has(name) || (name === "Enter" && event.target.matches("button, a[href], summary, [role=button]")))) return ""
  if (!singleKeys && name.length === 1) return ""
  const action = actionOf("annotate", name) ?? ""
  return event.repeat && !REPEATS.test(action) ? "" : action
}

/** Keys go to the page before they go anywhere else. @param {(action: string, held: boolean) => boolean} act true if it did something */
export function connectKeyboard(act) {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return
    if (!(event.target instanceof Element)) return
    const singleKeys = document.documentElement.dataset.singleKeys !== "off"
    const action = meaning(/** @type {any} */ (event), { singleKeys })
    if (action && act(action, event.repeat)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }, { capture: true })
}
