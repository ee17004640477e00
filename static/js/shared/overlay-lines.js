// Which lines of an overlay are shown, and the order of its table. No element is touched here.

/** @typedef {{id: string, verdict: string, hasLine: boolean}} Entry */

const AGREES = new Set(["agrees", "both never"])

/** Names of the entries that a word means: all, none, agreeing, differing. */
export function meant(word, /** @type {Entry[]} */ entries) {
  const fits = {
    all: () => true,
    none: () => false,
    agreeing: (/** @type {Entry} */ one) => AGREES.has(one.verdict) || one.id === "truth",
    differing: (one) => !AGREES.has(one.verdict), // the yardstick has no verdict, and stays
  }[word]
  return new Set(entries.filter((one) => one.hasLine && fits?.(one)).map((one) => one.id))
}

/** What to show first: by the address, else as chosen in this study before, else everything. */
export function first(asked, hidden, /** @type {Entry[]} */ entries) {
  const all = meant("all", entries)
  if (asked.length) return new Set([...all].filter((id) => asked.includes(id) || id === "truth"))
  return new Set([...all].filter((id) => !hidden?.includes(id)))
}

/** Order of two cells: numbers by size, words by letter, nothing last either way. */
export function compareCells(a, b, /** @type {1 | -1} */ way) {
  if (a === "" || b === "") return Number(a === "") - Number(b === "")
  const [x, y] = [Number(a), Number(b)]
  return way * (Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y)
}
