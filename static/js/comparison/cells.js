// Short cuts of the leaderboard: a pressed figure lists its series, a pressed head sorts by it.

/** Address of the series behind a figure of a row, as the form below the table asks for it. */
export function listAddress(form, cell, row) {
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)))
  query.set("cell", cell)
  query.set("of", row)
  return `${form.action}?${query}`
}

/** Follows a pressed figure or head; keys reach the same by the form and by the menu *Sort*. */
export function followCell({ target, ctrlKey, metaKey }) {
  const table = target.closest?.(".leaderboard")
  if (!table || String(getSelection())) return
  const sort = target.closest("th[data-sort]")?.dataset.sort
  if (sort) return table.closest("section").querySelector(`a[data-sort="${sort}"]`)?.click()
  const cell = target.closest("[data-cell]")?.dataset.cell
  const form = document.querySelector("[data-cell-form]")
  if (!cell || !form) return
  const address = listAddress(form, cell, target.closest("[data-of]").dataset.of)
  if (ctrlKey || metaKey) window.open(address, "_blank", "noopener")
  else location.assign(address)
}
