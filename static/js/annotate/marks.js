// @ts-check
// One answer in the making: what is marked, what can be undone, what the server said of it. Pure.

/** @typedef {"empty" | "steady" | "never" | "unclear"} Kind */
/** @typedef {{kind: Kind, index: number | null, unsure: boolean, difficulty: number | null, note: string}} Answer a steady one of a screening has no index */
/** @typedef {"draft" | "again" | "queued" | "saved" | "refused"} Phase again: somebody asks for another look, so the same answer counts anew */
/**
 * @typedef {object} State
 * @property {number} n iterations of the series
 * @property {Answer} answer what is on the screen
 * @property {Answer | null} kept what was last queued or saved
 * @property {Phase} phase where `kept` has got to; "draft" while nothing was queued
 * @property {string} clientId names `kept`
 * @property {number} revision of the last saved answer, 0 before the first
 * @property {string} reason why the server refused it
 * @property {Answer[]} past
 * @property {Answer[]} future
 */

export const STEPS = 50
export const NOTE_LENGTH = 500

/** @type {Answer} */
export const EMPTY = Object.freeze({ kind: "empty", index: null, unsure: false, difficulty: null, note: "" })

/**
 * A series just opened: `saved` is the answer that the server has, `draft` one that was never sent.
 * @param {{n: number, saved?: (Answer & {revision: number}) | null, draft?: Answer | null, again?: boolean}} opened
 * @returns {State}
 */
export function open({ n, saved = null, draft = null, again = false }) {
  const kept = saved && pick(saved)
  return {
    n,
    answer: draft ? pick(draft) : (kept ?? EMPTY),
    kept,
    phase: again ? "again" : kept ? "saved" : "draft",
    clientId: "",
    revision: saved ? saved.revision : 0,
    reason: "",
    past: [],
    future: [],
  }
}

/** Nearest iteration: a chart hands out fractions, and overshoots. */
export const nearest = (/** @type {number} */ x, /** @type {number} */ n) =>
  Math.min(Math.max(Math.floor(x + 0.5), 0), n - 1)

/** @param {State} state @param {number} x a place on the chart's x-axis @param {{joined?: boolean}} [how] */
export const place = (state, x, how) =>
  change(state, { kind: "steady", index: nearest(x, state.n), unsure: kindOf(state) === "unclear" ? false : state.answer.unsure }, how)

/** Without a mark there is nothing to move: the page moves its cursor instead. */
export const move = (/** @type {State} */ state, /** @type {number} */ by, /** @type {{joined?: boolean}} */ how = {}) =>
  state.answer.index === null ? state : place(state, state.answer.index + by, how)

/** Steady, and no iteration is asked: a screening. */
export const steady = (/** @type {State} */ state) => change(state, { kind: "steady", index: null })

/** How difficult it was, 1 to 5; the same again takes it away. */
export const rate = (/** @type {State} */ state, /** @type {number} */ level) =>
  change(state, { difficulty: state.answer.difficulty === level ? null : level })

export const never = (/** @type {State} */ state) => change(state, { kind: "never", index: null })

export const unclear = (/** @type {State} */ state) => change(state, { kind: "unclear", index: null, unsure: false })

/** The flag belongs to "steady from" and "never": unclear is unsure already. */
export const toggleUnsure = (/** @type {State} */ state) =>
  isVote(state) ? change(state, { unsure: !state.answer.unsure }) : state

/** Typing is one step, however many letters. */
export const write = (/** @type {State} */ state, /** @type {string} */ note, /** @type {{joined?: boolean}} */ how = {}) =>
  change(state, { note: note.slice(0, NOTE_LENGTH) }, how)

/** What was written stays; what was answered goes. */
export const takeBack = (/** @type {State} */ state) =>
  change(state, { kind: "empty", index: null, unsure: false })

/** @param {State} state @returns {State} */
export function undo(state) {
  const before = state.past.at(-1)
  if (!before) return state
  return { ...state, answer: before, past: state.past.slice(0, -1), future: [state.answer, ...state.future] }
}

/** @param {State} state @returns {State} */
export function redo(state) {
  const [after, ...future] = state.future
  if (!after) return state
  return { ...state, answer: after, past: [...state.past, state.answer], future }
}

/** Why this cannot be saved yet; empty if it can. @param {State} state */
export function obstacle({ answer }) {
  if (answer.kind === "empty") return "No answer yet: click, n or u."
  if (answer.kind === "unclear" && !answer.note.trim()) {
    return "Say what makes it unclear; one sentence is enough."
  }
  return ""
}

/** Whether the screen shows something that nobody has been asked to keep. @param {State} state */
export const isChanged = (state) => !same(state.answer, state.kept ?? EMPTY) || state.phase === "refused" || state.phase === "again"

/** @param {State} state @param {string} clientId @returns {State} */
export const queued = (state, clientId) =>
  ({ ...state, kept: state.answer, phase: "queued", clientId, reason: "" })

/** The answer to an older click says nothing about the newest one. @param {State} state @param {string} clientId @param {number} revision @returns {State} */
export const stored = (state, clientId, revision) =>
  clientId === state.clientId ? { ...state, phase: "saved", revision } : { ...state, revision }

/** @param {State} state @param {string} clientId @param {string} reason @returns {State} */
export const refused = (state, clientId, reason) =>
  clientId === state.clientId ? { ...state, phase: "refused", reason } : state

/** As a person would say it. @param {Answer} answer */
export function describe({ kind, index }) {
  return { empty: "no answer", steady: index === null ? "steady" : `steady from ${index}`, never: "never steady", unclear: "unclear" }[kind]
}

/** @param {Answer} one @param {Answer} other */
export const same = (one, other) =>
  one.kind === other.kind && one.index === other.index && one.unsure === other.unsure && one.difficulty === other.difficulty && one.note === other.note

/** @param {State} state @param {Partial<Answer>} changes @param {{joined?: boolean}} [how] joined: part of the step before @returns {State} */
function change(state, changes, { joined = false } = {}) {
  const answer = { ...state.answer, ...changes }
  if (same(answer, state.answer)) return state
  const past = joined && state.past.length > 0 ? state.past : [...state.past, state.answer].slice(-STEPS)
  return { ...state, answer, past, future: [] }
}

const kindOf = (/** @type {State} */ state) => state.answer.kind
const isVote = (/** @type {State} */ state) => kindOf(state) === "steady" || kindOf(state) === "never"
const pick = (/** @type {Answer} */ { kind, index, unsure, difficulty = null, note }) => ({ kind, index, unsure, difficulty, note })
