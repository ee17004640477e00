// Drawings as files that look the same on every machine: the page's font goes along.

let carried

/** The font as an address of data: a report has it in its style sheet, a page fetches it. */
async function fontData() {
  const kept = document.querySelector("style")?.textContent?.match(/data:font\/woff2[^")]+/)?.[0]
  const address = document.querySelector('link[as="font"]')?.getAttribute("href")
  if (kept || !address) return kept ?? ""
  const bytes = await (await fetch(address)).arrayBuffer()
  return `data:font/woff2;base64,${new Uint8Array(bytes).toBase64()}`
}

/** The same drawing is the same file: Plotly names its parts after numbers drawn by lot. */
export function withoutLot(picture) {
  const text = picture.replaceAll(/ trace[0-9a-f]{6}(?=")/g, "")
  const lot = /id="defs-([0-9a-f]{6})"/.exec(text)?.[1]
  return lot ? text.replaceAll(new RegExp(`(?<=-|clip)${lot}`, "g"), "plot") : text
}

/** An SVG file with the font in it. @param {string} picture without */
export async function withFont(picture) {
  const text = withoutLot(picture)
  carried ??= fontData()
  const source = await carried
  if (!source) return text
  const face = `font-family:Inter;font-weight:400 700;src:url("${source}") format("woff2")`
  return text.replace(/<svg[^>]*>/, (root) => `${root}<style>@font-face{${face}}</style>`)
}

/** A picture of an SVG file, twice its size. @returns {Promise<Blob>} */
export async function pngOf(text, ratio = 2) {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = Object.assign(document.createElement("canvas"),
    { width: image.width * ratio, height: image.height * ratio })
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made.")))))
}

/** Hands a file to the browser. */
export function handOver(blob, name) {
  const link = Object.assign(document.createElement("a"),
    { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
