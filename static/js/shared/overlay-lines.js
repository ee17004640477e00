// Which lines of an overlay are shown, and the order of its table. No element is touched here.

/** @typedef {{id: string, verdict: string, hasLine: boolean}} Entry */

/** Methods whose lines are told from one another at a glance. */
export const MOST_LINES = 5
const MOST_NARROW = 3 // on a phone

/** How many lines of methods a chart of this width holds. */
export const mostLines = (isNarrow) => (isNarrow ? MOST_NARROW : MOST_LINES)

/** At most so many of the lines that a page begins with: those in front, and the last one. */
export function fewer(usual, most) {
  const methods = usual.filter((id) => id !== "truth")
  return methods.length <= most ? methods : [...methods.slice(0, most - 1), methods.at(-1) ?? ""]
}

const AGREES = new Set(["agrees", "both never"])

/** Names of the entries that a word means: all, none, agreeing, differing; the yardstick stays. */
export function meant(word, entries) {
  const fits = {
    all: () => true,
    none: () => false,
    agreeing: (one) => AGREES.has(one.verdict),
    differing: (one) => !AGREES.has(one.verdict),
  }[word]
  const isMeant = (one) => one.hasLine && (one.id === "truth" || fits?.(one))
  return new Set(entries.filter(isMeant).map((one) => one.id))
}

/** What to show first: by the address, else as chosen in this study before, else the page's own. */
export function first(asked, /** @type {"all" | string[] | null} */ chosen, usual,
  entries) {
  const all = [...meant("all", entries)]
  if (!asked.length && chosen === "all") return new Set(all)
  const wanted = asked.length ? asked : chosen ?? usual
  return new Set(all.filter((id) => id === "truth" || wanted.includes(id)))
}

/** Puts a line among those that are shown: in place of the oldest where there are `most`. */
export function withLine(shown, id, most = MOST_LINES) {
  const others = [...shown].filter((one) => one !== "truth" && one !== id)
  const kept = new Set(others.slice(Math.max(0, others.length - most + 1)))
  return new Set([...shown].filter((one) => one === "truth" || kept.has(one))).add(id)
}

export const sameLines = (a, b) => a.size === b.size && [...a].every((id) => b.has(id))

/** Order of two cells: numbers by size, words by letter, nothing last either way. */
export function compareCells(a, b, /** @type {1 | -1} */ way) {
  if (a === "" || b === "") return Number(a === "") - Number(b === "")
  const [x, y] = [Number(a), Number(b)]
  return way * (Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y)
}
