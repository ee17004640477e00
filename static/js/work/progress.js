// The page of a run or an exploration: says aloud how far it is, keeps it in the title, asks
// nobody while hidden.

import { announcer } from "../shared/announcer.js";

const STEPS = [25, 50, 75, 100]

/** What to say after a job went from one state to the next: quarters, first failure, end. */
export function news(before, now) {
  if (!before) return ""
  if (now.state !== before.state && ["done", "stopped"].includes(now.state)) {
    return now.state === "stopped" ? `The ${now.noun} was stopped.` : now.failed
      ? `The ${now.noun} is done; ${now.failed} failed.` : `The ${now.noun} is done.`
  }
  if (now.failed && !before.failed) return `The first failure: ${now.failed} failed.`
  const step = STEPS.findLast((each) => now.percent >= each && before.percent < each)
  return step ? `${step} % done.` : ""
}

/** The title with the percentage of a job that is going, without it otherwise. */
export const titled = (title, /** @type {{percent: number, state: string}} */ now) => {
  const plain = title.replace(/^\(\d+ %\) /, "")
  return ["queued", "running", "stopping"].includes(now.state) ? `(${now.percent} %) ${plain}`
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
  let before = null
  const look = () => {
    const run = find()
    if (!run) return
    const now = read(run)
    const text = news(before, now)
    if (text) say(text)
    before = now
    document.title = titled(document.title, now)
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
