// Writing of numbers: four digits and a prefix, whole iterations, real minus signs.

const NARROW = "\u2009"
const NBSP = "\u00a0"
const MINUS = "\u2212"
const DIGITS = 4
const TIME = ["n", "µ", "m", ""]
const RATE = ["", "k", "M", "G"]

/** True for seconds and seconds per something. */
const isTime = (unit) => unit === "s" || unit.startsWith("s/")

const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, NARROW)

/** A whole number; groups of three from 10 000 on, as for iterations and counts. */
export function formatWhole(x) {
  const digits = String(Math.abs(Math.round(x)))
  return (x < 0 ? MINUS : "") + (digits.length > 4 ? group(digits) : digits)
}

/** A whole number with its sign: +140, −12, 0. */
export const formatSigned = (x) => (x > 0 ? "+" : "") + formatWhole(x)

/** True if a unit takes a prefix: seconds, and something a second. */
export const takesPrefix = (unit) => isTime(unit) || unit.endsWith("/s")

/** Prefixes that a unit takes, with the power of ten of each. */
function prefixes(unit) {
  return isTime(unit) ? TIME.map((prefix, index) => ({ prefix, power: 3 * (index - 3) }))
    : RATE.map((prefix, index) => ({ prefix, power: 3 * index }))
}

/** The prefix that brings the magnitude into 1 … 1000, or the nearest there is. */
export function prefixFor(magnitude, unit) {
  const scales = prefixes(unit)
  const fits = scales.filter(({ power }) =>
    Number((magnitude / 10 ** power).toPrecision(DIGITS)) >= 1)
  return fits.at(-1) ?? scales[0]
}

/** A power of ten as it is printed: 10⁻⁶. */
export const ten = (power) =>
  `10${String(power).replace(/./g, (sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻")}`

/** Four digits and a power of ten: 1.501·10⁻⁵. */
function asPower(size) {
  const [mantissa, power] = size.toExponential(DIGITS - 1).split("e")
  return `${mantissa}·${ten(Number(power))}`
}

const withUnit = (number, unit) => (unit ? number + NBSP + unit : number)

/** A duration (s), rate (/s) or count in its unit, with four significant digits. */
export function si(x, unit) {
  if (!Number.isFinite(x)) return "–"
  if (x === 0) return withUnit("0", unit)
  const size = Math.abs(x)
  const sign = x < 0 ? MINUS : ""
  const { prefix, power } = prefixFor(size, unit)
  const mantissa = size / 10 ** power
  if (Number(mantissa.toPrecision(DIGITS)) >= 1000)
    return withUnit(sign + group(mantissa < 1e21 ? mantissa.toFixed(0) : asPower(mantissa)),
      prefix + unit)
  const plain = mantissa < 1e-4 ? asPower(mantissa) : mantissa.toPrecision(DIGITS)
  return withUnit(sign + plain, prefix + unit)
}

/** A share of one as a percentage with one decimal. */
export const percent = (share) => (100 * share).toFixed(1).replace("-", MINUS) + NBSP + "%"

/** Difference to a reference in words: "1.9 % above", "0.3 % below", "at". */
export function differenceWords(value, reference) {
  const share = (value - reference) / Math.abs(reference)
  if (!Number.isFinite(share) || Math.abs(share) < 0.0005) return "at"
  return `${percent(Math.abs(share))} ${share > 0 ? "above" : "below"}`
}

/** One word for one, another for every other number: "1 value", "12 values". */
export const countWords = (n, noun, plural = noun + "s") =>
  `${formatWhole(n)} ${n === 1 ? noun : plural}`
