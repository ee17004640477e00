// A figure as a file: SVG, or PNG at twice the size. Its CSV is the server's.

import { plotter } from "../chart/plotter.js";

/** Makes the file and hands it to the browser. @param {"svg" | "png"} format */
export async function save(graph, format, name) {
  const href = await plotter.image(graph, { format, scale: format === "png" ? 2 : 1 })
  Object.assign(document.createElement("a"), { href, download: `${name}.${format}` }).click()
}
