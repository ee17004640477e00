// A figure as a file: SVG, PNG at twice the size, or its table as CSV where the server has none.

import { plotter } from "../shared/plotter.js";
import { handOver, pngOf, withFont } from "../shared/picture.js";

/** Makes the file and hands it to the browser. @param {"svg" | "png"} format */
export async function save(graph, format, name) {
  const picture = decodeURIComponent(await plotter.image(graph, { format: "svg" }))
  const text = await withFont(picture.slice(picture.indexOf("<svg")))
  handOver(format === "png" ? await pngOf(text) : new Blob([text], { type: "image/svg+xml" }),
    `${name}.${format}`)
}

/** Texts of cells as lines of CSV: numbers without spaces, and with a plain minus. */
export const csvOf = (rows) => rows.map((row) => row.map(cell).join(",") + "\r\n").join("")

function cell(text) {
  const number = text.replace(/[\u2009\u202f\u00a0]/g, "").replace("−", "-")
  if (number && Number.isFinite(Number(number))) return number
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Hands over the table of a figure. @param {HTMLTableElement} table */
export function saveTable(table, name) {
  const texts = ({ cells }) => [...cells].map((cell) => cell.textContent?.trim() ?? "")
  const text = csvOf([...table.rows].map(texts))
  handOver(new Blob([text], { type: "text/csv" }), `${name}.csv`)
}
