// Answers as lines, as rows and as an address. No element is touched here.

import { formatSigned, formatWhole } from "../shared/format.js";

/**
 * @typedef {{key: string, short: string, code: string, title: string, params: string[],
 *   slot: number, command: string, prepare: string} & Record<string, any>} Answer of the server
 */

export const MOST_PINS = 5
const NEVER = -1

/** True if an answer has a line. */
const isDrawn = (index) => Number.isInteger(index) && index >= 0

/** Lines of the chart: each method's answer, the true one, one's own mark. */
export function linesOf(answers, truth, mark = null) {
  const lines = answers.filter((answer) => isDrawn(answer.steady_start)).map((answer) => ({
    id: answer.key, index: answer.steady_start, kind: "detector", slot: answer.slot,
      code: answer.code, title: [answer.title, ...answer.params].join(", "),
  }))
  const truthLine = isDrawn(truth)
    ? [{ id: "truth", index: truth, kind: "truth", title: "true answer", label: `true ${truth}` }]
    : []
  const markLine = isDrawn(mark)
    ? [{ id: "mark", index: mark, kind: "mark", title: "your mark", label: `mark ${mark}` }] : []
  return [...lines, ...truthLine, ...markLine]
}

/** Detection − reference, where both are iterations; a dash otherwise. */
export function delta(start, reference) {
  if (!isDrawn(start) || !isDrawn(reference)) return "–"
  return formatSigned(start - reference)
}

/** An iteration, or the word for never, or a dash for no answer. */
export function iteration(index) {
  if (index === NEVER) return "never"
  return isDrawn(index) ? formatWhole(index) : "–"
}

/** The query of this very view; values that were pasted have none. */
export function queryOf({ query, method, pins, mark }) {
  const fields = [...query, ["m", method], ...pins.map((pin) => ["pin", pin]),
    ...(mark === null ? [] : [["mark", String(mark)]])]
  return `?${new URLSearchParams(fields)}`
}
