// @ts-check
// What every page does: menus, dialogs, keys that walk between pages, the line of a request, copying, filtering a list.

import { actionOf, nameOf } from "./keys.js";
import { showKeys } from "./keys-dialog.js";
import { connectLines } from "./request-line.js";

/** True where a key belongs to the field that has the focus. */
const isWriting = (/** @type {EventTarget | null} */ target) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox],[type=radio],[type=range]), textarea, select"))

const places = /** @type {Record<string, string>} */ ({
  "go-home": ".brand",
  "go-data": "[data-place=data]",
  "go-campaigns": "[data-place=campaigns]",
  "go-review": "[data-place=review]",
  "go-runs": "[data-place=runs]",
  "go-compare": "[data-place=compare]",
})

let before = ""

const scopes = () => (document.body.dataset.keys ?? "list").split(/\s+/)

/** A list is walked where the page has one; the others do without the module. @type {typeof import("./list-keys.js").actOnList} */
let actOnList = () => false
if (scopes().includes("list")) void import("./list-keys.js").then((found) => (actOnList = found.actOnList))

/** Keys of scope "everywhere", unless the page has a scope of its own (data-keys on <body>) that uses them. */
function onKey(/** @type {KeyboardEvent} */ event) {
  if (event.defaultPrevented || isWriting(event.target) || document.querySelector("dialog[open]")) return
  const name = nameOf(event)
  if (name === "Escape") return closeMenus()
  // A key that the page's own scope has is the page's; the second of two, such as "g m", is ours.
  if (!before && scopes().some((scope) => scope !== "list" && actionOf(scope, name))) return
  const action = actionOf("everywhere", before ? `${before} ${name}` : name)
  before = name === "g" && !before ? "g" : ""
  if (document.documentElement.dataset.singleKeys === "off") return
  if (!action) return void (actOnList(actionOf("list", name), event.target) && event.preventDefault())
  if (action === "keys") showKeys()
  else if (action === "filter") /** @type {HTMLElement?} */ (document.querySelector("[data-filter]"))?.focus()
  else /** @type {HTMLElement?} */ (document.querySelector(places[action]))?.click()
  event.preventDefault()
}

function closeMenus(/** @type {Node | null} */ except = null) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (except && menu.contains(except)) continue
    if (!except && menu.contains(document.activeElement)) menu.querySelector("summary")?.focus()
    menu.removeAttribute("open")
  }
}

async function copy(/** @type {HTMLElement} */ button) {
  const source = button.dataset.copyFrom ? document.querySelector(button.dataset.copyFrom) : null
  const text = button.dataset.copy || source?.textContent || location.href
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text.trim())
    button.textContent = "Copied"
  } catch {
    // Plain http has no clipboard: select the text, so that one key press copies it.
    if (source) getSelection()?.selectAllChildren(source)
    button.textContent = source ? "Press Ctrl+C" : "Copying needs https"
  }
  setTimeout(() => (button.textContent = label), 2000)
}

/** @type {[string, (found: HTMLElement, event: Event) => void][]} */
const clicks = [
  ["[data-open-dialog]", (found) => /** @type {HTMLDialogElement} */ (document.getElementById(found.dataset.openDialog ?? ""))?.showModal()],
  ["[data-close-dialog]", (found) => found.closest("dialog")?.close()],
  ["[data-show-keys]", () => showKeys()],
  ["[data-copy], [data-copy-from], [data-copy-link]", (found) => void copy(found)],
  ["tr[data-href]", (found, event) => {
    if (!(/** @type {HTMLElement} */ (event.target).closest("a, button, input, label, select, summary"))) location.assign(found.dataset.href ?? "")
  }],
]

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target)
  closeMenus(target)
  for (const [selector, act] of clicks) {
    const found = /** @type {HTMLElement?} */ (target.closest(selector))
    if (found) act(found, event)
  }
  if (target instanceof HTMLDialogElement && target.matches(".dialog")) target.close()
})

document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target)
  if (!field.matches("[data-filter-items]")) return
  const wanted = field.value.trim().toLowerCase()
  for (const item of field.parentElement?.querySelectorAll("a") ?? [])
    item.hidden = wanted !== "" && !(item.textContent ?? "").toLowerCase().includes(wanted)
})

document.addEventListener("change", (event) => {
  const field = /** @type {HTMLElement} */ (event.target)
  if (field.matches("[data-submits]")) /** @type {HTMLFormElement?} */ (field.closest("form"))?.requestSubmit()
})

document.addEventListener("keydown", onKey)
connectLines()
const first = /** @type {HTMLElement?} */ (document.querySelector("[data-focus]"))
first?.focus()
