// Answers of online methods after iteration t, by a slider over answers that the page has.

import { formatWhole } from "../shared/format.js";
import { connectEach } from "../shared/swapped.js";

const NEVER = -1

/** The changes of one method, as the page writes them: "104:15 119:-1". */
export const answerChanges = (text) =>
  text.split(" ").filter(Boolean).map((pair) => pair.split(":").map(Number))

/** The answer once iteration t was over; null while there was none. */
export function answerAt(/** @type {number[][]} */ changes, t) {
  /** @type {number | null} */
  let answer = null
  for (const [iteration, start] of changes) {
    if (iteration > t) break
    answer = start
  }
  return answer
}

/** An answer as the table writes it. */
export const answerWords = (answer) =>
  answer === null ? "–" : answer === NEVER ? "never" : formatWhole(answer)

/** Connects one form with the table that follows it. */
export function connect(form) {
  const section = form.parentElement
  const range = form.querySelector("[data-online-range]")
  const number = form.querySelector("[name=t]")
  const status = section.querySelector("[data-online-status]")
  const lastIteration = Number(range.max)
  const rows = [...section.querySelectorAll("[data-changes]")].map((row) => ({
    changes: answerChanges(row.dataset.changes ?? ""),
    cell: row.querySelector("[data-online-known]"),
    cursor: row.querySelector("[data-online-cursor]"),
    code: row.querySelector("b")?.textContent ?? "",
  }))
  const show = (t) => {
    const across = String((1000 * t) / Math.max(lastIteration, 1))
    for (const { changes, cell, cursor } of rows) {
      cell.textContent = answerWords(answerAt(changes, t))
      cursor?.setAttribute("x1", across)
      cursor?.setAttribute("x2", across)
    }
  }
  const tell = () => {
    const answers = rows.map(({ code, cell }) => `${code} ${cell.textContent}`).join(", ")
    const iteration = formatWhole(Number(range.value))
    if (status) status.textContent = `After iteration ${iteration}: ${answers}`
  }
  range.hidden = false
  form.querySelector("[data-online-button]")?.remove()
  range.addEventListener("input", () => {
    number.value = range.value
    show(Number(range.value))
  })
  number.addEventListener("input", () => {
    if (!number.validity.valid || number.value === "") return
    range.value = number.value
    show(Number(number.value))
  })
  for (const input of [range, number]) input.addEventListener("change", tell)
  form.addEventListener("submit", (event) => event.preventDefault())
}

connectEach("[data-online-form]", connect)
