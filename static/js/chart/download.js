// A chart as a file: SVG with its styles written out, PNG at twice the size, or values as CSV.

import { handOver, pngOf, withFont } from "../shared/picture.js";

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray",
  "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor",
  "visibility", "display"]

const SVG = "http://www.w3.org/2000/svg"

/** A copy of an SVG element, its styles as attributes: the policy forbids style attributes. */
function frozen(source) {
  const copy = document.createElementNS(SVG, source.localName)
  for (const { name, value } of source.attributes)
    if (!/^(style|class|xmlns|on)/.test(name) && !name.includes(":")) copy.setAttribute(name, value)
  const style = getComputedStyle(source)
  for (const name of STYLES) copy.setAttribute(name, style.getPropertyValue(name))
  for (const child of source.childNodes) if (child instanceof SVGElement) copy.append(frozen(child))
    else if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? "")
  return copy
}

/** The mark, which is an element of HTML on the screen. */
function drawnMark(stage) {
  const { marker, plot } = stage
  if (marker.index === null || marker.line.hidden || !plot) return ""
  const x = plot.left + new DOMMatrix(marker.line.style.transform).e
  const colour = getComputedStyle(marker.text).color
  const type = 'font-family="Inter, sans-serif" font-size="12" font-weight="600"'
  return `<rect x="${x - 1}" y="${plot.top}" width="2" height="${plot.height}" fill="${colour}"/>`
    + `<text x="${x + 9}" y="${plot.top - 3}" fill="${colour}" ${type}>${marker.text.textContent}`
    + "</text>"
}

/** The whole stage as the text of one SVG file. */
function svgText(stage) {
  const { width, height } = stage.element.getBoundingClientRect()
  const parts = [...stage.graph.querySelectorAll(".main-svg"), stage.overlay].map((part) =>
    new XMLSerializer().serializeToString(frozen(part)))
  const paper = getComputedStyle(document.body).backgroundColor
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const ground = `<rect width="100%" height="100%" fill="${paper}"/>`
  return `<svg xmlns="${SVG}" ${size}>${ground}${parts.join("")}${drawnMark(stage)}</svg>`
}

const FIGURES = ["p5", "p25", "median", "p75", "p95"]

/** Rows of the drawing: iteration, value in the series' unit; of buckets also the figure's name.
 * @param {import("./decimate.js").Points} points @param {number} scale */
export function csvText({ x, y, bands = null }, scale) {
  const rowsOf = (along, values, end = "") => Array.from(along, (index, position) =>
    `${index},${Number((values[position] * scale).toPrecision(7))}${end}`)
  const rows = bands ? [...rowsOf(x, y, ",extreme"), ...bands.quantiles.flatMap((values, rank) =>
    rowsOf(bands.x, values, `,${FIGURES[rank]}`))] : rowsOf(x, y)
  return [`iteration,value${bands ? ",figure" : ""}`, ...rows, ""].join("\r\n")
}

/** Makes the file and hands it to the browser. */
export async function download(stage, kind, name) {
  if (kind === "csv") {
    const text = csvText(stage.points, stage.series.scale)
    return handOver(new Blob([text], { type: "text/csv" }), `${name}.csv`)
  }
  const text = await withFont(svgText(stage))
  const isDrawing = kind === "svg"
  handOver(isDrawing ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text),
    `${name}.${kind}`)
}
