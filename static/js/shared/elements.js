// Making elements: text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg"

/** Elements of a part of the page, by the last words of their data attributes. */
export const partsOf = (root, prefix = "") => (name) =>
  root.querySelector(`[data-${prefix}${name}]`)

/** An element of HTML; attributes that are null or false are left out, functions listen. */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children)
}

/** An element of SVG; attributes that are null or false are left out. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children)
}

function filled(element, attributes, children) {
  const isSet = ([, value]) => value !== null && value !== false
  for (const [name, value] of Object.entries(attributes).filter(isSet))
    if (typeof value === "function") element.addEventListener(name, value)
    else element.setAttribute(name, value === true ? "" : String(value))
  element.append(...children)
  return element
}

/** A button that looks like a link. */
export const linkButton = (words, click) =>
  html("button", { class: "button button-quiet button-link small", type: "button", click }, words)

/** Class with the colour of a method's slot. */
export const colourOf = (slot = 0) => `slot-${slot % 20}`

/** An upright and a level line of SVG; what stands between pixels is rounded.
 * @param {string} name @param {number} x @param {number[]} ends */
export const upright = (name, x, [y1, y2]) =>
  svg("line", { class: name, x1: round(x), x2: round(x), y1, y2 })
/** @param {string} name @param {number} y @param {number[]} ends */
export const level = (name, y, [x1, x2]) =>
  svg("line", { class: name, x1, x2, y1: round(y), y2: round(y) })

/** Width of a text in label type, in pixels. */
export function textWidth(text) {
  measuring ??= document.createElement("canvas").getContext("2d")
  if (!measuring) return text.length * 7.5
  measuring.font = `600 12px ${getComputedStyle(document.body).fontFamily}`
  return measuring.measureText(text).width
}

let measuring

/** Puts a number with one decimal into a path. */
export const round = (x) => Math.round(x * 10) / 10
