// Answers as lines, as rows and as an address. No element is touched here.

import { signed, whole } from "../shared/format.js";

/**
 * @typedef {{key: string, short: string, code: string, title: string, params: string[],
 *   slot: number, command: string, prepare: string} & Record<string, any>} Answer of the server
 */

export const MOST_PINS = 5
const NEVER = -1

/** Where an answer's line stands, if it has one. */
const isDrawn = (index) => Number.isInteger(index) && index >= 0

/** Lines of the chart: each method's answer, the true one, one's own mark. */
export function linesOf(answers, truth, mark = null) {
  const lines = answers.filter((one) => isDrawn(one.steady_start)).map((one) => ({
    id: one.key, index: one.steady_start, kind: "detector", slot: one.slot, code: one.code,
      title: [one.title, ...one.params].join(", "),
  }))
  const known = isDrawn(truth)
    ? [{ id: "truth", index: truth, kind: "truth", title: "true answer", label: `true ${truth}` }]
    : []
  const own = isDrawn(mark)
    ? [{ id: "mark", index: mark, kind: "mark", title: "your mark", label: `mark ${mark}` }] : []
  return [...lines, ...known, ...own]
}

/** Detection − reference, where both are iterations; a dash otherwise. */
export function delta(start, reference) {
  if (!isDrawn(start) || !isDrawn(reference)) return "–"
  return signed(start - reference)
}

/** An iteration, or the word for never, or a dash for no answer. */
export function iteration(index) {
  if (index === NEVER) return "never"
  return isDrawn(index) ? whole(index) : "–"
}

/** The query of this very view; values that were pasted have none. */
export function queryOf({ query, method, pins, mark }) {
  const all = [...query, ["m", method], ...pins.map((pin) => ["pin", pin]),
    ...(mark === null ? [] : [["mark", String(mark)]])]
  return `?${new URLSearchParams(all)}`
}
