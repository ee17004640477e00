// @ts-check
// Evidence as a table: the same figures for those who do not read the drawing.

import { whole } from "../format.js";
import { html } from "./elements.js";

const ROWS = 500

/** Head and rows of an item of evidence. */
export function rowsOf(/** @type {any} */ item) {
  const note = (/** @type {number} */ at) => (item.notes?.length ? [item.notes[at]] : [])
  const noted = item.notes?.length ? ["note"] : []
  if (item.kind === "curve") {
    const all = item.y.map((/** @type {number | null} */ value, /** @type {number} */ at) => [item.x ? item.x[at] : at, value])
    return { head: ["iteration", item.unit ? `value (${item.unit})` : "value"], rows: all.filter((/** @type {any[]} */ row) => row[1] !== null) }
  }
  if (item.kind === "bands") return { head: ["first", "last", ...noted], rows: item.spans.map((/** @type {number[]} */ [a, b], /** @type {number} */ at) => [a, b - 1, ...note(at)]) }
  if (item.kind === "levels") return { head: ["first", "last", "level"], rows: item.pieces.map((/** @type {number[]} */ [a, b, level]) => [a, b - 1, level]) }
  return { head: ["iteration", ...noted], rows: item.at.map((/** @type {number} */ index, /** @type {number} */ at) => [index, ...note(at)]) }
}

const cell = (/** @type {unknown} */ value) => (typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value))

/** The table, at most 500 rows of it, in a region that scrolls by itself. */
export function evidenceTable(/** @type {any} */ item) {
  const { head, rows } = rowsOf(item)
  const more = rows.length > ROWS ? `, the first ${ROWS} of ${whole(rows.length)} rows` : ""
  const table = html("table", { class: "table table-tight" },
    html("caption", {}, `${item.label}${more}`),
    html("thead", {}, html("tr", {}, ...head.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows.slice(0, ROWS).map((/** @type {unknown[]} */ row) => html("tr", {}, ...row.map((value) => html("td", {}, cell(value)))))))
  return html("div", { class: "scroll evidence-table", tabindex: 0, role: "region", "aria-label": `Table: ${item.label}` }, table)
}
