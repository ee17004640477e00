// The line of words above a chart: where one is, what is there, what is out of sight.

import { differenceWords, countWords, si, formatWhole } from "../shared/format.js";

/** "iteration 1204", "8.66 µs", "1.9 % above the median of the last half" where there is one. */
export function readout({ index, value, n, unit, median, hideValues }) {
  if (index === null) return [countWords(n, "iteration")]
  const parts = [`iteration ${formatWhole(index)}`]
  if (value === undefined || hideValues) return parts
  parts.push(si(value, unit))
  if (median !== undefined && median !== null)
    parts.push(`${differenceWords(value, median)} the median of the last half`)
  return parts
}

/** Sentence on the values outside the y-range, in one of three sizes; empty without any. */
export function cutSentence(cut, { scale, unit, exact, size, hideValues }) {
  /** @param {{index: number, value: number} | null} worst */
  const side = (outside, worst, where, extreme) => {
    if (!outside.length || !worst) return ""
    if (size === "short") return `${exact ? "" : "≥ "}${formatWhole(outside.length)} ${where}`
    const valueWords = countWords(outside.length, "value")
    const outsideWords = `${exact ? "" : "at least "}${valueWords} ${where} the view`
    if (size === "middle" && outside.length > 1) return outsideWords
    const placeWords = `at iteration ${formatWhole(Math.round(worst.index))}`
    if (hideValues) return `${outsideWords}, ${extreme} ${placeWords}`
    const extremeWord = outside.length > 1 ? `${extreme} ` : ""
    return `${outsideWords}, ${extremeWord}${si(worst.value * scale, unit)} ${placeWords}`
  }
  return [side(cut.above, cut.highest, "above", "highest"),
    side(cut.below, cut.lowest, "below", "lowest")].filter(Boolean).join("; ")
}

/** Height of the band of the last half, as the axis is now: short enough for a narrow chart. */
export const flatSentence = (pixels) => `Last half: ${pixels} px`

/** Words of the keyboard cursor: place, value, direction against the mark. */
export function spoken(index, parts, mark) {
  if (mark === null) return parts.join(", ")
  const apart = index - mark
  const direction = apart === 0 ? "at the mark"
    : `${formatWhole(Math.abs(apart))} ${apart > 0 ? "after" : "before"} the mark`
  return [...parts.slice(0, 2), direction].join(", ")
}
