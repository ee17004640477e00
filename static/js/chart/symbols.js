// Symbols of the lines, in a box of 12 × 12; a test compares them with css/method-colours.css.

import { colourOf } from "../shared/elements.js";

/** Symbols of slots 0 … 9; 10 … 19 draw them open; each further twenty move on by three. */
export const SHAPES = [
  "M1.2 6a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0Z", // circle
  "M1.7 1.7h8.6v8.6h-8.6Z", // square
  "M6 .4L11.6 6L6 11.6L.4 6Z", // diamond
  "M6 1L11.2 10.4H.8Z", // triangle-up
  "M6 11L11.2 1.6H.8Z", // triangle-down
  "M4.2 .9h3.6v3.3h3.3v3.6h-3.3v3.3h-3.6v-3.3h-3.3v-3.6h3.3Z", // cross
  "M3.2 1L6 3.8L8.8 1L11 3.2L8.2 6L11 8.8L8.8 11L6 8.2L3.2 11L1 8.8L3.8 6L1 3.2Z", // x
  "M6 0.7L11.3 4.6L9.3 10.8L2.7 10.8L0.7 4.6Z", // pentagon
  "M6 0.4L7.5 4.3L11.7 4.5L8.5 7.2L9.5 11.3L6 9L2.5 11.3L3.5 7.2L0.3 4.5L4.5 4.3Z", // star
  "M6 0.5L10.8 3.3L10.8 8.8L6 11.5L1.2 8.8L1.2 3.2Z", // hexagon
]

const TRUTH = SHAPES[2]
const OTHER = "M1 2H11L6 10Z"
const MARK = "M0 1.5H12L6 10.5Z"

/** Place of a slot's shape. */
const placeOf = (slot) => (slot + 3 * Math.floor(slot / 20)) % SHAPES.length

/** Classes of a slot's symbol in a page, as analysis/methods/symbols.py gives them. */
export const classesOf = (slot) =>
  `${colourOf(slot)}${slot < 20 ? "" : ` shape-${(slot % 20 < 10 ? 0 : 10) + placeOf(slot)}`}`

/** Shape of a line's symbol, and whether it is open. @param {{kind: string, slot?: number}} line */
export function symbolOf({ kind, slot = 0 }) {
  if (kind === "truth") return { d: TRUTH, open: false }
  if (kind === "mark") return { d: MARK, open: false }
  if (kind === "other") return { d: OTHER, open: true }
  if (kind === "yardstick") return { d: TRUTH, open: true }
  return { d: SHAPES[placeOf(slot)], open: Math.floor(slot / 10) % 2 === 1 }
}
