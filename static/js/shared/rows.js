// Walking a list by j, k, Enter and x, or by a click in a row; later rows count too.

import { onKeys } from "./keyboard.js";

const LINKED = "[data-rows] tbody tr:has(> td > a)"
const ROWS = `tr[data-href], [data-row], ${LINKED}`
const STEPS = { "next-row": 1, "previous-row": -1 }

/** Index of the row that is next in a direction; the first or last one when none is current. */
export const neighbour = (current, step, count) =>
  current < 0 ? (step > 0 ? 0 : count - 1) : Math.min(Math.max(current + step, 0), count - 1)

function setCurrent(row) {
  for (const one of document.querySelectorAll("[data-current]")) delete one.dataset.current
  row.dataset.current = ""
}

/** The row, or in a table of links its link, takes the focus. */
function become(row) {
  setCurrent(row)
  const link = row.matches(LINKED) ? row.querySelector("a") : null
  if (!link) row.tabIndex = -1
  const target = link ?? row
  target.focus({ preventScroll: true })
  row.scrollIntoView({ block: "nearest" })
}

function open(row) {
  const address = row.dataset.href ?? row.querySelector("a")?.href
  if (address) location.assign(address)
}

/** Does what a key of scope "list" does; false where there is no list or nothing to do. */
function actOnList(action) {
  const rows = [...document.querySelectorAll(ROWS)]
  if (!rows.length) return false
  const current = rows.findIndex((row) => row.dataset.current !== undefined)
  const row = rows[current]
  if (STEPS[action]) {
    become(rows[neighbour(current, STEPS[action], rows.length)])
    return true
  }
  // A focused button keeps its own meaning of a key.
  const focused = document.activeElement
  if (!row || (focused !== document.body && !row.contains(focused))) return false
  if (action === "open-row") open(row)
  else row.querySelector("input[type=checkbox]")?.click()
  return true
}

if (globalThis.document) {
  onKeys("list", actOnList)
  document.addEventListener("focusin", ({ target }) => {
    const row = target.closest?.(LINKED)
    if (row) setCurrent(row)
  })
  document.addEventListener("click", ({ target }) => {
    const row = target.closest(`tr[data-href], ${LINKED}`)
    if (!row || target.closest("a, button, input, label, select, summary")) return
    if (getSelection()?.type !== "Range") open(row)
  })
}
