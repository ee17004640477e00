// Making elements: text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg"

/** An element of HTML; attributes that are null or false are left out. */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children)
}

/** An element of SVG; attributes that are null or false are left out. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children)
}

function filled(element, attributes, children) {
  const given = Object.entries(attributes).filter(([, value]) => value !== null && value !== false)
  for (const [name, value] of given) element.setAttribute(name, value === true ? "" : String(value))
  element.append(...children)
  return element
}

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
