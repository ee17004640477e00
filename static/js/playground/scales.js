// From the place of a slider to the value of a parameter, and back. No element is touched here.

export const STEPS = 200
const DIGITS = 3

/** @typedef {{low: number, high: number, log: boolean, whole: boolean}} Scale */

/** A value of few digits, so that a slider gives numbers that one would type. */
export function toValue(position, { low, high, log, whole }) {
  const share = Math.min(Math.max(position / STEPS, 0), 1)
  const value = log ? low * (high / low) ** share : low + (high - low) * share
  const short = whole ? Math.round(Number(value.toPrecision(DIGITS)))
    : Number(value.toPrecision(DIGITS))
  return Math.min(Math.max(short, low), high)
}

/** The place of a value; what is beyond the slider's ends stands at its end. */
export function toPosition(value, { low, high, log }) {
  if (!Number.isFinite(value) || value <= low) return 0
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
  return Math.round(Math.min(share, 1) * STEPS)
}
