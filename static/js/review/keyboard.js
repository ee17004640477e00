// @ts-check
// Keys of the page of a case, as the key map names them. Pure but for `matches`.

import { actionOf, nameOf } from "../keys.js";

const WRITING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]"
const CONTROL = "button, a[href], summary, input"
const REPEATS = /^(back|on)-|^(zoom|pan)-/

/**
 * The action that a key means here, or "" where it belongs to something else.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean, repeat?: boolean, defaultPrevented?: boolean, isComposing?: boolean, target: {matches: (selector: string) => boolean}}} event
 * @param {{singleKeys: boolean, dialog: boolean}} how
 */
export function meaning(event, { singleKeys, dialog }) {
  if (event.defaultPrevented || event.isComposing || event.altKey || dialog) return ""
  const name = nameOf(event)
  if (event.target.matches(WRITING)) return { Escape: "leave-field", "Mod+Enter": event.repeat ? "" : "send" }[name] ?? ""
  if (name.startsWith("Arrow") && event.target.matches(CONTROL)) return ""
  if (name === "Escape") return "leave-field"
  if (!singleKeys && name.length === 1) return ""
  const action = actionOf("review", name) ?? ""
  return event.repeat && !REPEATS.test(action) ? "" : action
}
