// Which lines of an overlay are shown, and the order of its table. No element is touched here.

/** @typedef {{id: string, verdict: string, hasLine: boolean}} Entry */

/** Methods whose lines are told from one another at a glance. */
export const MOST_LINES = 5
const MOST_NARROW = 3 // on a phone

/** Number of lines of methods that a chart of this width holds. */
export const mostLines = (isNarrow) => (isNarrow ? MOST_NARROW : MOST_LINES)

/** Reduces the lines of a page to `limit`: those in front, and the last one. */
export function reducedLines(usual, limit) {
  const methods = usual.filter((id) => id !== "truth")
  return methods.length <= limit ? methods : [...methods.slice(0, limit - 1), methods.at(-1) ?? ""]
}

const AGREES = new Set(["agrees", "both never"])

/** Names of the entries that a word means: all, none, agreeing, differing; the yardstick stays. */
export function linesNamed(word, entries) {
  const fits = {
    all: () => true,
    none: () => false,
    agreeing: (entry) => AGREES.has(entry.verdict),
    differing: (entry) => !AGREES.has(entry.verdict),
  }[word]
  const isMeant = (entry) => entry.hasLine && (entry.id === "truth" || fits?.(entry))
  return new Set(entries.filter(isMeant).map((entry) => entry.id))
}

/** Lines to show at first: by the address, else as chosen in this study, else the page's own. */
export function linesAtFirst(namedIds, /** @type {"all" | string[] | null} */ keptIds, usual,
  entries) {
  const allIds = [...linesNamed("all", entries)]
  if (!namedIds.length && keptIds === "all") return new Set(allIds)
  const wantedIds = namedIds.length ? namedIds : keptIds ?? usual
  return new Set(allIds.filter((id) => id === "truth" || wantedIds.includes(id)))
}

/** Puts a line among those that are shown: in place of the oldest where there are `most`. */
export function withLine(shownIds, id, limit = MOST_LINES) {
  const otherIds = [...shownIds].filter((lineId) => lineId !== "truth" && lineId !== id)
  const keptIds = new Set(otherIds.slice(Math.max(0, otherIds.length - limit + 1)))
  const lineIds = [...shownIds].filter((lineId) => lineId === "truth" || keptIds.has(lineId))
  return new Set(lineIds).add(id)
}

export const sameLines = (a, b) => a.size === b.size && [...a].every((id) => b.has(id))

/** Order of two cells: numbers by size, words by letter, nothing last either way. */
export function compareCells(a, b, /** @type {1 | -1} */ way) {
  if (a === "" || b === "") return Number(a === "") - Number(b === "")
  const [x, y] = [Number(a), Number(b)]
  return way * (Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y)
}
