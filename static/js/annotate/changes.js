// Steps of an answer that is all changes of level, in place of those of one mark. Pure.

import { change, nearest } from "./marks.js";

/** @typedef {import("./marks.js").State} State */

const changesOf = (state) => state.answer.changes ?? []
const without = (state, position) => changesOf(state).filter((index) => index !== position)
/** A level cannot begin to differ at the first iteration of a series. */
const inside = (x, n) => Math.max(nearest(x, n), 1)

/** One more change: from now on keys move this one. @returns {State} */
export function add(state, x, options = {}) {
  const position = inside(x, state.n)
  if (state.n < 2 || changesOf(state).includes(position)) return state
  return keep(state, [...changesOf(state), position], position, options)
}

/** Moves the last change, or begins with one; never onto another one. @returns {State} */
export function place(state, x, options = {}) {
  const { index } = state.answer
  if (index === null) return add(state, x, options)
  const otherChanges = without(state, index)
  const position = inside(x, state.n)
  return otherChanges.includes(position) ? state
    : keep(state, [...otherChanges, position], position, options)
}

export const move = (state, step, options = {}) =>
  state.answer.index === null ? state : place(state, state.answer.index + step, options)

/** Removes a change. Without the last one there is no answer: "no change" is one that is given. */
export function remove(state, position) {
  const otherChanges = without(state, position)
  return otherChanges.length ? keep(state, otherChanges, otherChanges[otherChanges.length - 1])
    : withdraw(state)
}

/** The answer that nothing changes. */
export const never = (state) => keep(state, [], null)

export const takeBack = (state) =>
  state.answer.index === null ? withdraw(state) : remove(state, state.answer.index)

const withdraw = (state) =>
  change(state, { kind: "empty", index: null, changes: null, unsure: false })

function keep(state, positions, index, options = {}) {
  const unsure = state.answer.kind === "changes" && state.answer.unsure
  const changes = [...positions].sort((a, b) => a - b)
  return change(state, { kind: "changes", changes, index, unsure }, options)
}
