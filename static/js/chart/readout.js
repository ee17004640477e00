// The line of words above a chart: where one is, what is there, what is out of sight.

import { against, counted, si, whole } from "../shared/format.js";

/** "iteration 1204", "8.66 µs", "1.9 % above the median of the last half" where there is one. */
export function readout({ index, value, n, unit, median, hideValues }) {
  if (index === null) return [counted(n, "iteration")]
  const parts = [`iteration ${whole(index)}`]
  if (value === undefined || hideValues) return parts
  parts.push(si(value, unit))
  if (median !== undefined && median !== null)
    parts.push(`${against(value, median)} the median of the last half`)
  return parts
}

/** What the y-range cuts off, as a sentence in one of three sizes; empty when nothing is. */
export function cutSentence(cut, { scale, unit, exact, size, hideValues }) {
  const side = (found, /** @type {{index: number, value: number} | null} */ worst, where, most) => {
    if (!found.length || !worst) return ""
    if (size === "short") return `${exact ? "" : "≥ "}${whole(found.length)} ${where}`
    const many = `${exact ? "" : "at least "}${counted(found.length, "value")} ${where} the view`
    if (size === "middle" && found.length > 1) return many
    const place = `at iteration ${whole(Math.round(worst.index))}`
    if (hideValues) return `${many}, ${most} ${place}`
    return `${many}, ${found.length > 1 ? `${most} ` : ""}${si(worst.value * scale, unit)} ${place}`
  }
  return [side(cut.above, cut.highest, "above", "highest"),
    side(cut.below, cut.lowest, "below", "lowest")].filter(Boolean).join("; ")
}

/** Height of the band of the last half, as the axis is now: short enough for a narrow chart. */
export const flatSentence = (pixels) => `Last half: ${pixels} px`

/** What the keyboard cursor says aloud: place, value, direction against the mark. */
export function spoken(index, parts, mark) {
  if (mark === null) return parts.join(", ")
  const apart = index - mark
  const direction = apart === 0 ? "at the mark"
    : `${whole(Math.abs(apart))} ${apart > 0 ? "after" : "before"} the mark`
  return [...parts.slice(0, 2), direction].join(", ")
}
