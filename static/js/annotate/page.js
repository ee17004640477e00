// The annotate page: makes its parts and joins them.

import { createChart } from "../chart/chart.js";
import { prefetch } from "../chart/payload.js";
import { Ahead } from "../shared/ahead.js";
import { apiClient } from "../shared/api-client.js";
import { onKeys } from "../shared/keyboard.js";
import { localStorageOrNull } from "../shared/stores.js";
import { signedOutSentence } from "../shared/unsent-strip.js";
import { actionsOf } from "./actions.js";
import { connectAsides } from "./asides.js";
import * as changes from "./changes.js";
import { Dialogs } from "./dialogs.js";
import { Drafts } from "./drafts.js";
import { holdable } from "./hold.js";
import { Magnifier } from "./magnifier.js";
import * as marks from "./marks.js";
import { Panel } from "./panel.js";
import { pickMany, pickOne } from "./clicks.js";
import { placesOf, Queue } from "./queue.js";
import { AnswerSaving } from "./saving.js";
import { Screen } from "./screen.js";
import { connectSender } from "./sending.js";
import { address } from "./series.js";
import { ShownSeries } from "./shown-series.js";
import { Status } from "./status.js";
import { Timer } from "./timer.js";

const part = (selector) => document.querySelector(selector)

async function start() {
  const page = JSON.parse(part("#page-data").textContent ?? "{}")
  const root = part("[data-annotate]")
  const http = apiClient(page.who)
  const status = new Status(document)
  const dialogs = new Dialogs(document)
  const drafts = new Drafts(localStorageOrNull(), page.who)
  const askSignIn = (reply) => dialogs.signIn(signedOutSentence(reply, status.waiting), parts.wake)
  const ahead = new Ahead((position) => fetchTask(http, page, position, askSignIn))
  const queue = new Queue(placesOf(page.queue))
  const steps = page.changes ? changes : marks
  const place = (index) => shown.change((state) => steps.place(state, index))
  const onPick = (index, phase) => canMark() && pick(index, phase)
  const canMark = () => shown.ready && !screening && !feedback?.locked
  const onTouch = (event) => loupe.float(canMark() ? event : null)
  const markWord = page.changes ? "change at" : undefined
  const chart = createChart(part("[data-chart]"), { keys: null, onPick, onTouch, markWord })
  const loupe = new Magnifier(part("[data-loupe]"), chart, place)
  const remove = (position) => shown.change((state) => changes.remove(state, position))
  const panel = new Panel(part("[data-answer]"), place, remove)
  const { urls, pace, screening, difficulty, guide: { version: guideVersion } } = page
  const { Feedback } = page.training ? await import("./feedback.js") : { Feedback: null }
  const { connectEvents } = urls["annotate-events"] ? await import("./events.js") : {}
  const feedback = Feedback && new Feedback(part("[data-feedback]"), part("[data-answer]"), chart)
  const parts = {
    chart, loupe, panel, status, dialogs, drafts, ahead, queue, http, prefetch, urls, pace,
    events: connectEvents?.({ chart, http, urls }, part("[data-chart-evidence]")),
    guideVersion, screening, difficulty, feedback, steps, screen: new Screen(root),
    timer: new Timer(),
    guide: () => openGuide(),
    skipUrl: (position) => address(urls, "annotate-skips", position),
    wake: () => {
      for (const sender of [parts.sender, parts.asides]) void sender?.wake()
      if (parts.screen.face === "failed") void shown.open(shown.position)
    },
  }
  const shown = new ShownSeries(parts)
  const saving = new AnswerSaving(shown)
  const actions = actionsOf(saving)
  const act = (name, isRepeated = false) => {
    if (!Object.hasOwn(actions, name)) return chart.act(name)
    actions[name](isRepeated)
    return true
  }

  const preview = (index, otherMarks) => {
    chart.setMark(index, otherMarks)
    panel.preview(index)
    loupe.show(index)
  }
  const pick = page.changes ? pickMany({ shown, chart, steps, preview })
    : pickOne({ place, preview })
  function openGuide() {
    dialogs.guide(() => {
      if (page.guide.seen >= page.guide.version) return
      page.guide.seen = page.guide.version
      const version = String(page.guide.version)
      void parts.asides.send(urls["annotate-guide-readings"], { version })
    })
  }

  Object.assign(document.body.dataset, { keys: "annotate", keysOnly: "" })
  await connectAsides(parts, page)
  await connectSender(parts, saving, page)
  onKeys("annotate", act, { capture: true })
  connectPointer(root, act)
  connectAttention(parts)
  parts.screen.onRetry = (position) => void shown.open(position)
  addEventListener("popstate", (event) => event.state?.position
    && void shown.open(event.state.position, { visit: "none" }))
  root.addEventListener("answer-typed", () => act("leave-field"))
  addEventListener("resize", () => chart.redraw())
  drafts.sweep()
  status.progress(queue, page.pace)
  await shown.open(page.task.position, { visit: "replace" })
  if (page.guide.seen < page.guide.version) openGuide()
  document.documentElement.dataset.annotate = "ready"
}

/** The first series came with the page; the others are fetched. */
async function fetchTask(http, page, position, onSignedOut) {
  const firstTask = page.task
  if (firstTask.position === position && !firstTask.used)
    return Object.assign(firstTask, { used: true })
  const reply = await http.get(address(page.urls, "annotate-data", position))
  const { status, body } = reply
  if (status === 200) return body
  if (status === 401) {
    onSignedOut(reply)
    throw new Error(signedOutSentence(reply, 0))
  }
  throw new Error(status === 0 ? "The values were not loaded (network)."
    : `The values were not loaded (the server answered ${status}).`)
}

/** Buttons do what their keys do. One that was clicked gives the focus back: Enter must save. */
function connectPointer(root, act) {
  root.addEventListener("click", (event) => {
    const control = event.target.closest("button, input[type=checkbox]")
    if (event.detail > 0) control?.blur()
    if (control?.dataset.do) act(control.dataset.do)
  })
  for (const button of root.querySelectorAll("[data-hold]"))
    holdable(button, () => act(button.dataset.hold))
}

/** Seconds count while the page is looked at. */
function connectAttention({ timer, screen }) {
  const look = () => timer.attend(screen.attended)
  for (const name of ["focus", "blur"]) addEventListener(name, look)
  document.addEventListener("visibilitychange", look)
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel"])
    addEventListener(name, () => timer.touch(), { capture: true, passive: true })
}

void start()
