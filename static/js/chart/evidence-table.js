// Evidence as a table: the same figures for those who do not read the drawing.

import { formatWhole } from "../shared/format.js";
import { html, linkButton } from "../shared/elements.js";

const ROWS = 500

/** Head and rows of an item of evidence. */
export function rowsOf(item) {
  const note = (index) => (item.notes?.length ? [item.notes[index]] : [])
  const noted = item.notes?.length ? ["note"] : []
  if (item.kind === "curve") {
    const rows = item.y.map((value, index) => [item.x ? item.x[index] : index, value])
    return { head: ["iteration", item.unit ? `value (${item.unit})` : "value"],
      rows: rows.filter((row) => row[1] !== null) }
  }
  if (item.kind === "bands")
    return { head: ["first", "last", ...noted],
    rows: item.spans.map(([a, b], index) => [a, b - 1, ...note(index)]) }
  if (item.kind === "levels")
    return { head: ["first", "last", "level"],
    rows: item.pieces.map(([a, b, level]) => [a, b - 1, level]) }
  return { head: ["iteration", ...noted], rows: item.at.map((index, at) => [index, ...note(at)]) }
}

const cell = (value) => (typeof value === "number" && !Number.isInteger(value)
  ? String(Number(value.toPrecision(6))) : String(value))

/** The table, at most 500 rows of it, in a region that scrolls by itself. */
export function evidenceTable(item) {
  const { head, rows } = rowsOf(item)
  const count = formatWhole(rows.length)
  const limitWords = rows.length > ROWS ? `, the first ${ROWS} of ${count} rows` : ""
  const table = html("table", { class: "table table-tight" },
    html("caption", {}, `${item.label}${limitWords}`),
    html("thead", {}, html("tr", {}, ...head.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows.slice(0, ROWS).map((row) =>
      html("tr", {}, ...row.map((value) => html("td", {}, cell(value)))))))
  return html("div", { class: "scroll evidence-table", tabindex: 0, role: "region",
    "aria-label": `Table: ${item.label}` }, table)
}

/** The place of a table, filled when it is asked for first; its button goes into the line above. */
export function tableOf(item, line) {
  const table = html("div", { hidden: true })
  const button = linkButton("Table", () => {
    if (!table.childNodes.length) table.append(evidenceTable(item))
    table.hidden = !table.hidden
    button.setAttribute("aria-expanded", String(!table.hidden))
  })
  button.setAttribute("aria-expanded", "false")
  line.append(button)
  return [table]
}
