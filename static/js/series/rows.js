// @ts-check
// Walking the rows of a list by keyboard: j and k move, Enter opens, x chooses. Rows that are loaded later count too.

import { actionOf, nameOf } from "../keys.js";

const STEPS = /** @type {Record<string, number>} */ ({ "next-row": 1, "previous-row": -1 })

/** Place of the row that a step leads to; -1 stands before the first. */
export const stepped = (/** @type {number} */ at, /** @type {number} */ step, /** @type {number} */ count) =>
  Math.min(Math.max(at + step, 0), count - 1)

/** @param {HTMLElement} list */
export function connect(list) {
  const rows = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("tbody tr:has(> td > a)")])

  /** @param {HTMLElement} row */
  function choose(row) {
    list.querySelector("[data-current]")?.removeAttribute("data-current")
    row.dataset.current = ""
    row.querySelector("a")?.focus({ preventScroll: true })
    row.scrollIntoView({ block: "nearest" })
  }

  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target)
    if (event.defaultPrevented || target.matches("input:not([type=checkbox]), select, textarea") || document.querySelector("dialog[open]")) return
    if (document.documentElement.dataset.singleKeys === "off") return
    const action = actionOf("list", nameOf(event)) ?? ""
    const all = rows()
    const at = all.findIndex((row) => "current" in row.dataset)
    if (action === "select-row") return all[at]?.querySelector("input")?.click()
    const step = STEPS[action]
    if (!step || !all.length) return
    event.preventDefault()
    choose(all[stepped(at, step, all.length)])
  })

  list.addEventListener("focusin", (event) => {
    const row = rows().find((each) => each.contains(/** @type {Node} */ (event.target)))
    list.querySelector("[data-current]")?.removeAttribute("data-current")
    if (row) row.dataset.current = ""
  })

  // A row is as good as its link: a whole row is easier to hit.
  list.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target)
    if (target.closest("a, button, input, summary") || getSelection()?.type === "Range") return
    rows().find((each) => each.contains(target))?.querySelector("a")?.click()
  })
}

if (globalThis.document) /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-rows]")).forEach(connect)
