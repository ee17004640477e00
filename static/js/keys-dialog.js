// @ts-check
// The dialog that lists the keys of this page, made from the key map.

import { SCOPES, signs } from "./keys.js";

const element = (/** @type {string} */ tag, /** @type {string} */ className = "", /** @type {(Node | string)[]} */ ...children) => {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

const keySigns = (/** @type {string[]} */ keys) =>
  keys.slice(0, 1).flatMap(signs).map((sign) => element("kbd", "key", sign))

/** One section of the list: a heading, then an action and its keys a row. */
export function section(/** @type {string} */ scope) {
  const { title, shortcuts } = SCOPES[scope]
  const rows = shortcuts.map((one) => element("div", "", element("dt", "", one.title), element("dd", "", ...keySigns(one.keys))))
  return element("section", "", element("h3", "", title), element("dl", "", ...rows))
}

/** Opens the dialog with the scopes of this page (data-keys on <body>, several separated by blanks). */
export function showKeys() {
  const shared = document.body.dataset.keysOnly === undefined ? ["everywhere"] : []
  const scopes = [...(document.body.dataset.keys ?? "list").split(/\s+/), ...shared].filter((one) => SCOPES[one])
  const close = element("button", "close", "×")
  close.setAttribute("aria-label", "Close")
  const title = element("h2", "", "Keys")
  title.id = "keys-title"
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", "dialog dialog-wide", element("div", "dialog-head", title, close),
      element("div", "dialog-body keys", ...scopes.map(section)))
  )
  dialog.setAttribute("aria-labelledby", "keys-title")
  close.addEventListener("click", () => dialog.close())
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

// The keys page has a place for every scope; the list there is the same.
if (globalThis.document)
  document.querySelectorAll("[data-keys-of]").forEach((place) =>
    place.append(section(/** @type {HTMLElement} */ (place).dataset.keysOf ?? "")))
