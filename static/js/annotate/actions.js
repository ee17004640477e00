// @ts-check
// What keys and buttons of the page do; the names are those of the key map. The rest is the chart's.

import { showKeys } from "../keys-dialog.js";
import * as marks from "./marks.js";
import { address } from "./series.js";

/** @typedef {import("./desk.js").Desk} Desk */

const STEPS = { "back-1": -1, "on-1": 1, "back-10": -10, "on-10": 10, "back-100": -100, "on-100": 100 }

/** @param {Desk} desk @returns {Record<string, (held: boolean) => unknown>} */
export function actionsOf(desk) {
  const { chart, dialogs, panel, status, queue, urls, http, screen, screening, difficulty } = desk.parts
  const here = () => desk.position
  const change = (/** @type {(state: marks.State) => marks.State} */ step) => desk.change(step)
  const place = (/** @type {number} */ index) => change((state) => marks.place(state, index))
  const go = (/** @type {number | null} */ position, /** @type {string} */ otherwise) =>
    position === null ? status.say(otherwise) : desk.open(position)

  const save = () => {
    panel.commit()
    const problem = desk.save().replace("click", screening ? "m" : "click")
    if (!problem) return
    panel.complain(problem)
    if (desk.state.answer.kind === "unclear") void note(problem)
  }
  /** In a screening one key answers and goes on; the key for back is there for a slip. */
  const vote = (/** @type {(state: marks.State) => marks.State} */ step) => {
    change(step)
    if (screening && desk.ready) save()
  }
  const note = async (problem = "") => {
    if (!desk.ready) return
    let joined = false
    const keep = (/** @type {string} */ text) => {
      change((state) => marks.write(state, text, { joined }))
      joined = true
    }
    const send = await dialogs.note(desk.state.answer.note, problem, keep)
    if (send) save()
  }
  const skip = () => {
    const position = here()
    if (!queue.isDone(position)) {
      queue.skip(position)
      void http.post(address(urls, "annotate-skips", position), {})
    }
    desk.next()
  }
  const jump = () => dialogs.jump((/** @type {string} */ text) => {
    const position = Number(text)
    if (!queue.has(position)) return `Series ${text.trim() || "?"} is not among yours: they are ${spans(queue.positions)}.`
    void desk.open(position)
    return ""
  })
  const problem = () => dialogs.problem(async (/** @type {string} */ text) => {
    const reply = await http.post(address(urls, "annotate-problems", here()), { text })
    if (reply.status === 201) return status.say(`Reported · series ${here()}`) ?? ""
    return reply.body?.sentence ?? "The report did not arrive. Try again when the network is back."
  })
  const steps = Object.fromEntries(Object.entries(STEPS).map(([name, by]) => [name, (/** @type {boolean} */ held) => step(desk, by, held)]))

  return {
    ...steps,
    first: () => (desk.state.answer.index === null ? chart.setCursor(0) : place(0)),
    last: () => (desk.state.answer.index === null ? chart.setCursor(chart.n - 1) : place(chart.n - 1)),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((level) => [`difficulty-${level}`, () => difficulty && change((state) => marks.rate(state, level))])),
    mark: () => screening ? vote(marks.steady) : place(chart.stage.cursor ?? chart.stage.hover ?? middle(chart.stage.window)),
    never: () => vote(marks.never),
    unclear: () => { change(marks.unclear); if (desk.ready && !desk.state.answer.note) void note() },
    unsure: () => change(marks.toggleUnsure),
    note: () => note(),
    save,
    clear: () => change(marks.takeBack),
    undo: () => change(marks.undo),
    redo: () => change(marks.redo),
    jump,
    previous: () => go(queue.beside(here(), -1), "This is your first series."),
    next: () => go(queue.beside(here(), 1), "This is your last series."),
    "last-saved": () => go(desk.trail.findLast((position) => position !== here()) ?? null, "Nothing was saved here yet."),
    skip: () => (screen.face === "end" ? undefined : skip()),
    problem,
    guide: () => desk.parts.guide(),
    keys: () => showKeys(),
    discard: () => desk.discard(),
    "leave-field": () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
  }
}

/** An arrow moves the mark; where there is none, the cursor. @param {Desk} desk @param {number} by @param {boolean} held */
function step(desk, by, held) {
  if (!desk.ready) return
  const { chart } = desk.parts
  if (desk.state.answer.index === null) return chart.moveCursor(by)
  desk.change((state) => marks.move(state, by, { joined: held }))
  const index = /** @type {number} */ (desk.state.answer.index)
  const [from, to] = chart.stage.window
  if (index < from || index >= to) chart.setWindow(index - (to - from) / 2, index + (to - from) / 2)
  chart.words.write(chart.stage, { aloud: true })
}

const middle = (/** @type {[number, number]} */ [from, to]) => Math.floor((from + to - 1) / 2 + 0.5)

/** "1 to 40", "2, 5 to 9". @param {number[]} positions ascending */
export function spans(positions) {
  /** @type {[number, number][]} */
  const found = []
  for (const position of positions) {
    const last = found.at(-1)
    if (last && last[1] === position - 1) last[1] = position
    else found.push([position, position])
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(", ")
}
