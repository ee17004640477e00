// The page of a run or an exploration: says aloud how far it is, keeps it in the title, asks
// nobody while hidden.

import { announcer } from "../shared/announcer.js";

const STEPS = [25, 50, 75, 100]

/** Sentence after a job went from one state to the next: quarters, first failure, end. */
export function progressSentence(previous, current) {
  if (!previous) return ""
  if (current.state !== previous.state && ["done", "stopped"].includes(current.state)) {
    return current.state === "stopped" ? `The ${current.noun} was stopped.` : current.failed
      ? `The ${current.noun} is done; ${current.failed} failed.` : `The ${current.noun} is done.`
  }
  if (current.failed && !previous.failed) return `The first failure: ${current.failed} failed.`
  const step = STEPS.findLast((percent) => current.percent >= percent && previous.percent < percent)
  return step ? `${step} % done.` : ""
}

/** The title with the percentage of a job that is going, without it otherwise. */
export const titleWithPercent = (title, /** @type {{percent: number, state: string}} */ run) => {
  const plain = title.replace(/^\(\d+ %\) /, "")
  return ["queued", "running", "stopping"].includes(run.state) ? `(${run.percent} %) ${plain}`
    : plain
}

const read = (run) => ({
  percent: Number(run.dataset.percent),
  failed: Number(run.dataset.failed),
  state: run.dataset.state ?? "",
  noun: run.dataset.noun ?? "",
})

function connect() {
  const region = document.querySelector("[data-job-status]")
  if (!region) return
  const say = announcer(region)
  const find = () => document.querySelector("[data-job]")
  /** @type {{percent: number, failed: number, state: string, noun: string} | null} */
  let previous = null
  const look = () => {
    const run = find()
    if (!run) return
    const current = read(run)
    const text = progressSentence(previous, current)
    if (text) say(text)
    previous = current
    document.title = titleWithPercent(document.title, current)
  }

  look()
  document.addEventListener("htmx:after:swap", look)
  // What a person has opened stays open while the page is brought up to date.
  const { htmx } = /** @type {any} */ (globalThis)
  if (htmx) htmx.config.morphIgnore = [...htmx.config.morphIgnore, "open"]
  document.addEventListener("htmx:before:request", (event) => {
    if (document.hidden && event.target instanceof Element && event.target.matches("[data-job]"))
      event.preventDefault()
  })
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) find()?.dispatchEvent(new Event("plateau:visible"))
  })
}

if (globalThis.document) connect()
