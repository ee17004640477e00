// Behaviour of every page: menus, dialogs, keys between pages, copying, filtering a list.

import { filterItems } from "./shared/filter-items.js";
import { pressed } from "./shared/keyboard.js";
import { actionOf } from "./shared/keys.js";
import { openNamedFold } from "./shared/named-fold.js";
import { connectLines } from "./shared/request-line.js";

const PLACES = {
  "go-home": ".brand",
  "go-data": "[data-place=data]",
  "go-campaigns": "[data-place=campaigns]",
  "go-disagreements": "[data-place=disagreements]",
  "go-runs": "[data-place=runs]",
  "go-compare": "[data-place=compare]",
}

const MESSAGE_MS = 8000

let firstKey = ""

const scopes = () => (document.body.dataset.keys ?? "list").split(/\s+/)

/** Keys of scope "everywhere", unless the page's own scope (data-keys on <body>) has them. */
function onKey(event) {
  if (event.key === "Enter" && event.target.matches?.("[data-filter-items]"))
    return event.preventDefault() // it searches, and sends nothing yet
  const name = pressed(event)
  if (!name) return
  if (name === "Escape") return closeMenus()
  // A key that the page's own scope has is the page's; the second of two, such as "g m", is ours.
  if (!firstKey && scopes().some((scope) => actionOf(scope, name))) return
  const action = actionOf("everywhere", firstKey ? `${firstKey} ${name}` : name)
  firstKey = name === "g" && !firstKey ? "g" : ""
  if (action === "keys") void showKeys()
  else if (action === "filter") document.querySelector("[data-filter]")?.focus()
  else if (action) document.querySelector(PLACES[action])?.click()
  else return
  event.preventDefault()
}

function closeMenus(/** @type {HTMLElement | null} */ except = null) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (except && menu.contains(except)) continue
    if (!except && menu.contains(document.activeElement)) menu.querySelector("summary")?.focus()
    menu.removeAttribute("open")
  }
}

// What few people ask for is loaded when they do.
const showKeys = async () => (await import("./shared/keys-dialog.js")).showKeys()
const copying = () => import("./shared/copying.js")

async function copy(button) {
  const source = button.dataset.copyFrom ? document.querySelector(button.dataset.copyFrom) : null
  const { copyText } = await copying()
  await copyText(button, button.dataset.copy || source?.textContent || location.href, () => {
    if (!source) return "Copying needs https"
    getSelection()?.selectAllChildren(source) // one key press copies what is selected
    return "Press Ctrl+C"
  })
}

/** A phone shares a link where a desk copies it (css/controls.css). */
if ("share" in navigator && matchMedia("(pointer: coarse)").matches)
  document.documentElement.dataset.canShare = ""

/** Opens a dialog of this page, or another page as one; a link leads there without script. */
async function openDialog({ dataset, href }, event) {
  event.preventDefault()
  const dialog = dataset.openDialog && document.querySelector(`dialog#${dataset.openDialog}`)
  if (dialog) dialog.showModal()
  else (await import("./shared/page-dialog.js")).showAsDialog(href)
}

/** @type {[string, (found: any, event: MouseEvent) => unknown][]} */
const clicks = [
  ["[data-open-dialog]", openDialog],
  ["[data-close-dialog]", (button) => button.closest("dialog")?.close()],
  ["[data-close-message]", (button) => button.closest(".message")?.remove()],
  ["[data-show-keys]", () => void showKeys()],
  ["[data-share]", async (button) => (await copying()).share(button, button.dataset.share)],
  ["[data-copy], [data-copy-from], [data-copy-link]", (button) => void copy(button)],
]

document.addEventListener("click", (event) => {
  const target = event.target
  closeMenus(target)
  for (const [selector, act] of clicks) {
    const element = target.closest(selector)
    if (element) act(element, event)
  }
  if (target instanceof HTMLDialogElement && target.matches(".dialog")) target.close()
})

document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-filter-items]")) filterItems(target)
})

document.addEventListener("change", (event) => {
  const field = event.target
  if (field.matches("[data-submits]")) field.closest("form")?.requestSubmit()
})

/** A message of success leaves by itself, unless somebody is at it; a fault or an undo stays. */
function fade(message) {
  if (message.matches(":hover, :focus-within")) setTimeout(fade, MESSAGE_MS, message)
  else message.remove()
}
const STAYING = ".notice-warn, .notice-bad, form"
for (const message of document.querySelectorAll(`.message:not(:has(${STAYING}))`))
  setTimeout(fade, MESSAGE_MS, message)

document.addEventListener("keydown", onKey)
connectLines()
document.addEventListener("DOMContentLoaded", openNamedFold) // htmx has to hear of it
const focusedField = document.querySelector("[data-focus]")
focusedField?.focus()
focusedField?.closest("details")?.scrollIntoView()
