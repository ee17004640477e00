// The dialog that lists the keys of this page, made from the key map.

import { html } from "./elements.js";
import { SCOPES, signs } from "./keys.js";

const keySigns = ([keys]) => signs(keys).map((sign) => html("kbd", { class: "key" }, sign))

/** One section of the list: a heading, then an action and its keys a row. */
export function section(scope) {
  const { title, shortcuts } = SCOPES[scope]
  const rows = shortcuts.map((shortcut) =>
    html("div", {}, html("dt", {}, shortcut.title), html("dd", {}, ...keySigns(shortcut.keys))))
  return html("section", {}, html("h3", {}, title), html("dl", {}, ...rows))
}

/** Opens the dialog with the scopes of this page: data-keys on <body>, separated by blanks. */
export function showKeys() {
  const shared = document.body.dataset.keysOnly === undefined ? ["everywhere"] : []
  const scopes = [...(document.body.dataset.keys ?? "list").split(/\s+/), ...shared]
    .filter((scope) => SCOPES[scope])
  const closing = { class: "close", "aria-label": "Close", click: () => dialog.close() }
  const title = html("h2", { id: "keys-title" }, "Keys")
  const head = html("div", { class: "dialog-head" }, title, html("button", closing, "×"))
  const body = html("div", { class: "dialog-body keys" }, ...scopes.map(section))
  const look = { class: "dialog dialog-wide", "aria-labelledby": "keys-title",
    close: () => dialog.remove() }
  const dialog = html("dialog", look, head, body)
  document.body.append(dialog)
  dialog.showModal()
}

// The keys page has a place for every scope; the list there is the same.
if (globalThis.document)
  document.querySelectorAll("[data-keys-of]").forEach((host) =>
    host.append(section(host.dataset.keysOf ?? "")))
