// @ts-check
// The annotate page: makes its parts and joins them.

import { createChart } from "../chart.js";
import { prefetch } from "../payload.js";
import { actionsOf } from "./actions.js";
import { Desk } from "./desk.js";
import { Dialogs } from "./dialogs.js";
import { Drafts, localStorageOrNull } from "./drafts.js";
import { Feedback } from "./feedback.js";
import { holdable } from "./hold.js";
import { speaker } from "./http.js";
import { connectKeyboard } from "./keyboard.js";
import { Magnifier } from "./magnifier.js";
import * as marks from "./marks.js";
import { connectOutbox } from "./sending.js";
import { Panel } from "./panel.js";
import { Ahead, placesOf, Queue } from "./queue.js";
import { Screen } from "./screen.js";
import { address } from "./series.js";
import { signInSentence, Status } from "./status.js";
import { Timer } from "./timer.js";

const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector))

async function start() {
  const page = JSON.parse(part("#page-data").textContent ?? "{}")
  const root = part("[data-annotate]")
  const http = speaker(page.who)
  const status = new Status(document)
  const dialogs = new Dialogs(document)
  const drafts = new Drafts(localStorageOrNull(), page.who)
  const ahead = new Ahead((position) => fetchTask(http, page, position, (sentence) => dialogs.signIn(sentence, () => void parts.outbox?.wake())))
  const queue = new Queue(placesOf(page.queue))
  const place = (/** @type {number} */ index) => desk.change((state) => marks.place(state, index))
  const chart = createChart(part("[data-chart]"), { keys: null, onPick: (index, phase) => pick(index, phase) })
  const loupe = new Magnifier(part("[data-loupe]"), chart, place)
  const panel = new Panel(part("[data-answer]"), place)
  /** @type {any} */
  const parts = {
    chart, loupe, panel, status, dialogs, drafts, ahead, queue, http, prefetch, urls: page.urls, pace: page.pace, guideVersion: page.guide.version,
    screening: page.screening, difficulty: page.difficulty, feedback: page.training ? new Feedback(part("[data-feedback]"), part("[data-answer]"), chart) : null,
    screen: new Screen(root), timer: new Timer(), guide: () => openGuide(),
  }
  const desk = new Desk(parts)
  const actions = actionsOf(desk)
  const act = (/** @type {string} */ name, held = false) => {
    if (!Object.hasOwn(actions, name)) return chart.act(name)
    actions[name](held)
    return true
  }

  /** A drag moves the mark on the screen; letting go makes it the answer. */
  function pick(/** @type {number} */ index, /** @type {"click" | "drag" | "drop"} */ phase) {
    if (!desk.ready || page.screening || parts.feedback?.locked) return
    if (phase !== "drag") return place(index)
    chart.setMark(index)
    loupe.show(index)
  }
  function openGuide() {
    dialogs.guide(() => {
      if (page.guide.seen >= page.guide.version) return
      page.guide.seen = page.guide.version
      void http.post(page.urls["annotate-guide-readings"], { version: String(page.guide.version) })
    })
  }

  Object.assign(document.body.dataset, { keys: "annotate", keysOnly: "" })
  await connectOutbox(parts, desk, page)
  connectKeyboard(act)
  connectPointer(root, act)
  connectAttention(parts)
  parts.screen.onRetry = (position) => void desk.open(position)
  addEventListener("popstate", (event) => event.state?.position && void desk.open(event.state.position, { visit: "none" }))
  root.addEventListener("answer-typed", () => act("leave-field"))
  addEventListener("resize", () => chart.redraw())
  drafts.sweep()
  status.progress(queue, page.pace)
  await desk.open(page.task.position, { visit: "replace" })
  if (page.guide.seen < page.guide.version) openGuide()
  document.documentElement.dataset.annotate = "ready"
}

/** The first series came with the page; the others are fetched. @param {ReturnType<typeof speaker>} http @param {any} page @param {number} position @param {(sentence: string) => void} onSignedOut */
async function fetchTask(http, page, position, onSignedOut) {
  const first = page.task
  if (first.position === position && !first.used) return Object.assign(first, { used: true })
  const { status, body } = await http.get(address(page.urls, "annotate-data", position))
  if (status === 200) return body
  if (status === 401) {
    onSignedOut(body.reason === "other-person" ? body.sentence : signInSentence(0))
    throw new Error(body.sentence)
  }
  throw new Error(status === 0 ? "The values did not arrive (network)." : `The values did not arrive (the server answered ${status}).`)
}

/** Buttons do what their keys do. One that was clicked gives the keys back: Enter must save, not press it again. */
function connectPointer(/** @type {HTMLElement} */ root, /** @type {(name: string) => boolean} */ act) {
  root.addEventListener("click", (event) => {
    const found = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("button, input[type=checkbox]"))
    if (event.detail > 0) found?.blur()
    if (found?.dataset.do) act(found.dataset.do)
  })
  for (const button of root.querySelectorAll("[data-hold]")) holdable(/** @type {HTMLElement} */ (button), () => act(/** @type {any} */ (button).dataset.hold))
}

/** Seconds count while the page is looked at. @param {any} parts */
function connectAttention({ timer, screen }) {
  const look = () => timer.attend(screen.attended)
  for (const name of ["focus", "blur"]) addEventListener(name, look)
  document.addEventListener("visibilitychange", look)
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(name, () => timer.touch(), { capture: true, passive: true })
}

void start()
