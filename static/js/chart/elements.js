// @ts-check
// Making elements: text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg"

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null>} attributes null and false are left out
 * @param {...(Node | string)} children
 */
export function html(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (filled(document.createElement(tag), attributes, children))
}

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null>} attributes
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), attributes, children))
}

function filled(/** @type {Element} */ element, /** @type {Record<string, any>} */ attributes, /** @type {(Node | string)[]} */ children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value))
  element.append(...children)
  return element
}

/** Width of a text in label type, in pixels. */
export function textWidth(/** @type {string} */ text) {
  measuring ??= document.createElement("canvas").getContext("2d")
  if (!measuring) return text.length * 7.5
  measuring.font = `600 12px ${getComputedStyle(document.body).fontFamily}`
  return measuring.measureText(text).width
}

/** @type {CanvasRenderingContext2D | null | undefined} */
let measuring

/** Puts a number with one decimal into a path. */
export const round = (/** @type {number} */ x) => Math.round(x * 10) / 10
