// Ticks of an axis and their texts: one prefix, one number of decimals.

import { prefixFor, takesPrefix, ten, formatWhole } from "../shared/format.js";

const STEPS = [1, 2, 2.5, 5, 10]
const MINUS = "\u2212"

/** Figures below a hundredth or from 10 000 on are too long beside an axis. */
const PLAIN = { least: -2, most: 4 }
const LONGEST = 5

/** Unit of the figures of an axis: a prefix where the unit has one, else a power of ten. */
export function scaleOf(magnitude, unit) {
  const { prefix, power } = takesPrefix(unit) ? prefixFor(magnitude, unit)
    : { prefix: "", power: 0 }
  const places = Math.log10(magnitude) - power
  if (places >= PLAIN.least && places < PLAIN.most) return { power, unit: prefix + unit }
  const thousands = 3 * Math.floor(Math.log10(magnitude) / 3 + 1e-9)
  return { power: thousands, unit: `×${ten(thousands)}${unit && ` ${unit}`}` }
}

/** The least step of 1, 2, 2.5 or 5 × 10ᵏ that is not below `least`. */
export function stepFrom(least) {
  const ten = 10 ** Math.floor(Math.log10(least))
  return (STEPS.find((step) => step * ten >= least * (1 - 1e-9)) ?? 10) * ten
}

/** Multiples of a step within [lo, hi]. */
function multiples(lo, hi, step) {
  const first = Math.ceil(lo / step - 1e-9)
  const last = Math.floor(hi / step + 1e-9)
  const length = Math.max(0, Math.min(200, last - first + 1))
  return Array.from({ length }, (_, index) => (first + index) * step)
}

const decimalsOf = (step) => {
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const scaled = step * 10 ** places
  return Math.abs(scaled - Math.round(scaled)) > 1e-6 ? places + 1 : places
}

const digits = (text) => text.replace(/\D/g, "").replace(/^0+/, "").length

function ticksAt(lo, hi, step) {
  const scaled = multiples(lo, hi, step)
  const decimals = Math.min(decimalsOf(step), 12)
  const text = (value) => (value === 0 ? 0 : value).toFixed(decimals).replace("-", MINUS)
  return { scaled, texts: scaled.map(text) }
}

/** Ticks of a linear y-axis, one per 52 px or more. Values in the unit itself. */
export function linear(lo, hi, pixels, unit) {
  const scale = scaleOf(Math.max(Math.abs(lo), Math.abs(hi)), unit)
  const factor = 10 ** scale.power
  const least = stepFrom((hi - lo) / factor / Math.max(1, pixels / 52))
  // A wider step may need fewer digits: three at most, as long as three ticks are left.
  const choices = [least, stepFrom(least * 1.01), stepFrom(least * 2.1)]
    .map((step) => ticksAt(lo / factor, hi / factor, step))
  const isShort = ({ texts }) => texts.length >= 3 && texts.every((text) => digits(text) <= 3)
  const { scaled, texts } = choices.find(isShort) ?? choices[0]
  return { values: scaled.map((value) => value * factor), texts, unit: scale.unit }
}

const DECADES = [[1, 2, 5], [1, 3], [1]]

/** Ticks of a logarithmic y-axis: 1 2 5, 1 3 or tens, whichever has 26 px each; else linear. */
export function logarithmic(lo, hi, pixels, unit) {
  const from = Math.floor(Math.log10(lo))
  const length = Math.ceil(Math.log10(hi)) - from + 1
  const decades = Array.from({ length }, (_, index) => 10 ** (from + index))
  const choices = DECADES.map((parts) => decades.flatMap((ten) => parts.map((part) => part * ten))
    .filter((v) => v >= lo && v <= hi))
  const values = choices.find((ticks) => ticks.length * 26 <= pixels)
    ?? choices[2].filter((_, index) => index % Math.ceil((choices[2].length * 26) / pixels) === 0)
  if (choices[0].length < 3) return linear(lo, hi, pixels, unit)
  // Over more than four decades every figure is a power of ten of the unit itself.
  const scale = hi > 1e4 * lo ? { power: 0, unit } : scaleOf(values.at(-1) ?? hi, unit)
  return { values, texts: values.map((value) => short(value / 10 ** scale.power)),
    unit: scale.unit }
}

/** A number in at most three digits, as a power of ten where it is long: 0.5, 2·10⁻⁶. */
export function short(number) {
  const text = String(Number(number.toPrecision(3))).replace("-", MINUS)
  if (number === 0 || (text.length <= LONGEST && !text.includes("e"))) return text
  const [mantissa, power] = number.toExponential(2).split("e")
  const first = String(Number(mantissa)).replace("-", MINUS)
  return `${first === "1" ? "" : `${first}·`}${ten(Number(power))}`
}

/** Ticks of iterations in [from, to), `gap` px apart or more; the series' last one always. */
export function iterations(from, to, n, pixels, gap = 110) {
  const perPixel = (to - from) / pixels
  const least = Math.max(1, perPixel * gap)
  const step = [stepFrom(least), stepFrom(least * 1.3), 1].find((x) => Number.isInteger(x)) ?? 1
  const last = n - 1
  const ticks = multiples(from, to - 1, step)
  if (to < n) return { values: ticks, texts: ticks.map(formatWhole) }
  const keptTicks = [...ticks.filter((value) => last - value >= 44 * perPixel), last]
  return { values: keptTicks, texts: keptTicks.map(formatWhole) }
}
