// The table of answers in groups: order of its rows, folded groups. No line is touched here.

import { compareCells } from "./overlay-lines.js";

/** Sorts the rows of every group by a column; the yardstick stays above. */
export function sortRows(section, button, column) {
  const head = button.closest("th")
  const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1
  for (const other of section.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort")
  head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending")
  const cell = (row) => {
    const text = row.dataset[column] ?? ""
    return column === "delta" && text ? String(Math.abs(Number(text))) : text
  }
  const below = (row) => row.nextElementSibling?.matches("[data-below]")
    ? [row.nextElementSibling, ...below(row.nextElementSibling)] : []
  const rows = [...section.querySelectorAll("tr[data-line]:not([data-fixed])")]
    .map((row) => [row, ...below(row)])
  rows.sort(([a], [b]) => compareCells(cell(a), cell(b), way))
  for (const [row, ...detailRows] of rows) row.parentElement?.append(row, ...detailRows)
  for (const row of section.querySelectorAll(".group-more")) row.parentElement?.append(row)
}

/** Opens or closes a group, or shows all of its rows. */
export function foldGroup(button) {
  const group = button.closest("tbody")
  if (button.dataset.more !== undefined) return group.toggleAttribute("data-all", true)
  const isOpen = group.toggleAttribute("data-unfolded")
  button.setAttribute("aria-expanded", String(isOpen))
}

/** Opens the group of a row that is meant, so that it is seen. */
export function unfoldRow(row) {
  const group = row?.closest("tbody[data-group]")
  if (!group || row.offsetParent) return
  group.toggleAttribute("data-unfolded", true)
  group.toggleAttribute("data-all", true)
  group.querySelector("[data-fold]")?.setAttribute("aria-expanded", "true")
}
