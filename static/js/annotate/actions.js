// Actions of keys and buttons of the page, by the names of the key map; the chart has its own.

import * as marks from "./marks.js";
import { address } from "./series.js";

const STEPS = Object.entries(
  { "back-1": -1, "on-1": 1, "back-10": -10, "on-10": 10, "back-100": -100, "on-100": 100 })

export function actionsOf(saving) {
  const { shown, parts } = saving
  const { chart, dialogs, panel, status, queue, urls, http, screen, screening, difficulty,
    steps } = parts
  const shownPosition = () => shown.position
  const change = (step) => shown.change(step)
  const place = (index) => change((state) => steps.place(state, index))
  const add = (index) => change((state) => steps.add(state, index))
  const go = (position, otherwise) =>
    position === null ? status.say(otherwise) : shown.open(position)

  const save = () => {
    const problem = panel.commit() || saving.save().replace("click", screening ? "m" : "click")
    if (!problem) return
    panel.complain(problem)
    if (shown.state.answer.kind === "unclear") void note(problem)
  }
  /** Answers and goes on with one key, in a screening; the key for back is there for a slip. */
  const vote = (step) => {
    change(step)
    if (screening && shown.ready) save()
  }
  const note = async (problem = "") => {
    if (!shown.ready) return
    let joined = false
    const keep = (text) => {
      change((state) => marks.write(state, text, { joined }))
      joined = true
    }
    const send = await dialogs.note(shown.state.answer.note, problem, keep)
    if (send) save()
  }
  const skip = () => {
    const position = shownPosition()
    if (!queue.isDone(position)) {
      queue.skip(position)
      void parts.asides.send(parts.skipUrl(position), {}, { position })
    }
    saving.next()
  }
  const jump = () => dialogs.jump((text) => {
    const position = Number(text)
    if (!queue.has(position))
      return `Series ${text.trim() || "?"} is not yours: you have ${spans(queue.positions)}.`
    void shown.open(position)
    return ""
  })
  const problem = () => dialogs.problem(async (text) => {
    const reply = await http.post(address(urls, "annotate-problems", shownPosition()), { text })
    if (reply.status === 201) return status.say(`Reported · series ${shownPosition()}`) ?? ""
    return reply.body?.sentence ?? "The report was not sent. Try again when the network is back."
  })
  return {
    ...Object.fromEntries(STEPS.map(([name, distance]) =>
      [name, (isRepeated) => step(shown, distance, isRepeated)])),
    first: () => (shown.state.answer.index === null ? chart.setCursor(0) : place(0)),
    last: () => (shown.state.answer.index === null ? chart.setCursor(chart.n - 1)
      : place(chart.n - 1)),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((level) =>
      [`difficulty-${level}`, () => difficulty && change((state) => marks.rate(state, level))])),
    mark: () => screening ? vote(marks.steady)
      : add(chart.stage.cursor ?? chart.stage.hover ?? middle(chart.stage.window)),
    never: () => vote(steps.never),
    unclear: () => {
      change(marks.unclear)
      if (shown.ready && !shown.state.answer.note) void note()
    },
    unsure: () => change(marks.toggleUnsure),
    note: () => note(),
    save,
    clear: () => change(steps.takeBack),
    undo: () => change(marks.undo),
    redo: () => change(marks.redo),
    jump,
    previous: () => go(queue.beside(shownPosition(), -1), "This is your first series."),
    next: () => go(queue.beside(shownPosition(), 1), "This is your last series."),
    "last-saved": () => go(shown.trail.findLast((position) => position !== shownPosition()) ?? null,
      "Nothing was saved here yet."),
    skip: () => (screen.face === "end" ? undefined : skip()),
    problem,
    guide: () => parts.guide(),
    keys: async () => (await import("../shared/keys-dialog.js")).showKeys(),
    discard: () => shown.discard(),
    "leave-field": () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
  }
}

/** An arrow moves the mark, or begins one; beside "never" and "unclear" it moves the cursor. */
function step(shown, distance, isRepeated) {
  if (!shown.ready) return
  const { chart, screening, steps } = shown.parts
  const { kind, index: mark } = shown.state.answer
  if (kind === "empty" && !screening) {
    const begin = chart.stage.cursor ?? middle(chart.stage.window)
    return shown.change((state) => steps.place(state, begin))
  }
  if (mark === null) return chart.moveCursor(distance)
  shown.change((state) => steps.move(state, distance, { joined: isRepeated }))
  const index = shown.state.answer.index
  const [from, to] = chart.stage.window
  if (index < from || index >= to) chart.setWindow(index - (to - from) / 2, index + (to - from) / 2)
  chart.words.write(chart.stage, { aloud: true })
}

const middle = ([from, to]) => Math.floor((from + to - 1) / 2 + 0.5)

/** "1 to 40", "2, 5 to 9". @param {number[]} positions ascending */
export function spans(positions) {
  const ranges = []
  for (const position of positions) {
    const range = ranges.at(-1)
    if (range && range[1] === position - 1) range[1] = position
    else ranges.push([position, position])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(", ")
}
