// One answer in the making: what is marked, what can be undone, what the server said of it. Pure.

/**
 * @typedef {"empty" | "steady" | "never" | "unclear" | "changes"} Kind
 * @typedef {{kind: Kind, index: number | null, changes: number[] | null, unsure: boolean,
 *   difficulty: number | null, note: string}} Answer a steady one of a screening has no index;
 *   changes: all changes of level, rising, and index the one that keys move
 * @typedef {"draft" | "again" | "queued" | "saved" | "refused"} Phase where `kept` has got to;
 *   draft: nothing was queued; again: somebody asks for a new answer, the same answer counts anew
 * @typedef {{n: number, answer: Answer, kept: Answer | null, phase: Phase, clientId: string,
 *   revision: number, reason: string, past: Answer[], future: Answer[]}} State answer: what is on
 *   the screen; kept: what was last queued or saved, and clientId its name; revision: of the last
 *   saved answer, 0 before the first; reason: why the server refused it
 */

export const STEPS = 50
const NOTE_LENGTH = 500

export const EMPTY = Object.freeze(
  { kind: "empty", index: null, changes: null, unsure: false, difficulty: null, note: "" })

/** A series just opened: `saved` is what the server has, `draft` was never sent.
 * @param {{n: number, saved?: (Answer & {revision: number}) | null, draft?: Answer | null,
 *   again?: boolean}} series @returns {State} */
export function open({ n, saved = null, draft = null, again = false }) {
  const savedAnswer = saved && pick(saved)
  return {
    n,
    answer: draft ? pick(draft) : (savedAnswer ?? EMPTY),
    kept: savedAnswer,
    phase: again ? "again" : savedAnswer ? "saved" : "draft",
    clientId: "",
    revision: saved ? saved.revision : 0,
    reason: "",
    past: [],
    future: [],
  }
}

/** Nearest iteration: a chart hands out fractions, and overshoots. */
export const nearest = (x, n) => Math.min(Math.max(Math.floor(x + 0.5), 0), n - 1)

/** @param {number} x a place on the chart's x-axis */
export const place = (state, x, options = {}) => {
  const unsure = kindOf(state) !== "unclear" && state.answer.unsure
  return change(state, { kind: "steady", index: nearest(x, state.n), unsure }, options)
}

/** Adds a mark: one more takes the place of the other. */
export const add = place

/** Moves the mark; without a mark the page moves its cursor instead. */
export const move = (state, step, options = {}) =>
  state.answer.index === null ? state : place(state, state.answer.index + step, options)

/** Steady, and no iteration is asked: a screening. */
export const steady = (state) => change(state, { kind: "steady", index: null })

/** Rates the difficulty, 1 to 5; a repeated rating takes it away. */
export const rate = (state, level) =>
  change(state, { difficulty: state.answer.difficulty === level ? null : level })

export const never = (state) => change(state, { kind: "never", index: null })

export const unclear = (state) =>
  change(state, { kind: "unclear", index: null, changes: null, unsure: false })

/** The flag belongs to "steady from" and "never": unclear is unsure already. */
export const toggleUnsure = (state) =>
  isVote(state) ? change(state, { unsure: !state.answer.unsure }) : state

/** Typing is one step, however many letters. */
export const write = (state, note, options = {}) =>
  change(state, { note: note.slice(0, NOTE_LENGTH) }, options)

/** Discards the answer; the note stays. */
export const takeBack = (state) =>
  change(state, { kind: "empty", index: null, unsure: false })

export function undo(state) {
  const previous = state.past.at(-1)
  if (!previous) return state
  return { ...state, answer: previous, past: state.past.slice(0, -1),
    future: [state.answer, ...state.future] }
}

export function redo(state) {
  const [following, ...future] = state.future
  if (!following) return state
  return { ...state, answer: following, past: [...state.past, state.answer], future }
}

/** Why this cannot be saved yet; empty if it can. */
export function obstacle({ answer }) {
  if (answer.kind === "empty") return "No answer yet: click, n or u."
  if (answer.kind === "unclear" && !answer.note.trim()) {
    return "Say what makes it unclear; one sentence is enough."
  }
  return ""
}

/** True if the screen shows an answer that nobody has been asked to keep. */
export const isChanged = (state) => !isSame(state.answer, state.kept ?? EMPTY)
  || state.phase === "refused" || state.phase === "again"

export const queued = (state, clientId) =>
  ({ ...state, kept: state.answer, phase: "queued", clientId, reason: "" })

/** The answer to an older click says nothing about the newest one. */
export const stored = (state, clientId, revision) =>
  clientId === state.clientId ? { ...state, phase: "saved", revision } : { ...state, revision }

export const refused = (state, clientId, reason) =>
  clientId === state.clientId ? { ...state, phase: "refused", reason } : state

/** Answer in a person's words. @param {Answer} answer */
export function describe({ kind, index, changes }) {
  if (kind === "changes" && changes) return describeChanges(changes)
  return { empty: "no answer", steady: index === null ? "steady" : `steady from ${index}`,
    never: "never steady", unclear: "unclear" }[kind]
}

const describeChanges = (changes) => (changes.length > 3 ? `${changes.length} changes`
  : changes.length ? `change at ${changes.join(", ")}` : "no change")

/** True if two answers are equal, whichever of several changes the keys move. */
export const isSame = (answer, otherAnswer) => Object.keys(EMPTY).every((name) =>
  String(answer[name]) === String(otherAnswer[name])
  || (name === "index" && answer.kind === "changes" && otherAnswer.kind === "changes"))

/** @param {Partial<Answer>} changes; joined: part of the step before. @returns {State} */
export function change(state, changes, { joined = false } = {}) {
  const answer = { ...state.answer, ...changes }
  if (isSame(answer, state.answer)) return state
  const past = joined && state.past.length > 0 ? state.past
    : [...state.past, state.answer].slice(-STEPS)
  return { ...state, answer, past, future: [] }
}

const kindOf = (state) => state.answer.kind
const isVote = (state) => ["steady", "never", "changes"].includes(kindOf(state))
/** @param {any} answer of the server or of a draft @returns {Answer} */
const pick = ({ kind, index, changes = null, unsure, difficulty = null, note }) =>
  ({ kind, index: index ?? changes?.at(-1) ?? null, changes, unsure, difficulty, note })
