// @ts-check
// Walking a list by keys: j and k move, Enter opens, x selects. A row is a `tr[data-href]` or `[data-row]`.

const ROWS = "tr[data-href], [data-row]"

/** Index of the row that is next in a direction; the first or last one when none is current. */
export const neighbour = (/** @type {number} */ current, /** @type {1 | -1} */ by, /** @type {number} */ count) =>
  current < 0 ? (by > 0 ? 0 : count - 1) : Math.min(Math.max(current + by, 0), count - 1)

function become(/** @type {HTMLElement[]} */ rows, /** @type {HTMLElement} */ row) {
  for (const one of rows) delete one.dataset.current
  row.dataset.current = ""
  row.tabIndex = -1
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: "nearest" })
}

/** Does what a key of scope "list" does; false where there is no list or nothing to do. */
export function actOnList(/** @type {string | undefined} */ action, /** @type {EventTarget | null} */ target) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(ROWS)])
  if (!action || !rows.length) return false
  const current = rows.findIndex((row) => row.dataset.current !== undefined)
  const row = rows[current]
  if (action === "next-row" || action === "previous-row") {
    become(rows, rows[neighbour(current, action === "next-row" ? 1 : -1, rows.length)])
    return true
  }
  // A focused link or button keeps its own meaning of Enter.
  if (!row || (target !== document.body && target !== row)) return false
  if (action === "open-row") location.assign(row.dataset.href ?? row.querySelector("a")?.href ?? location.href)
  else /** @type {HTMLInputElement | null} */ (row.querySelector("input[type=checkbox]"))?.click()
  return true
}
