// @ts-check
// A run's page: says aloud how far it is, keeps the percentage in the title, and asks nobody while it is hidden.

import { speaker } from "../announce.js";

const STEPS = [25, 50, 75, 100]

/**
 * What to say about a run after it went from one state to the next: quarters, the first failure, the end.
 * @param {{percent: number, failed: number, state: string} | null} before
 * @param {{percent: number, failed: number, state: string}} now
 */
export function news(before, now) {
  if (!before) return ""
  if (now.state !== before.state && ["done", "stopped"].includes(now.state)) {
    return now.state === "stopped" ? "The run was stopped." : now.failed ? `The run is done; ${now.failed} failed.` : "The run is done."
  }
  if (now.failed && !before.failed) return `The first failure: ${now.failed} failed.`
  const step = STEPS.findLast((each) => now.percent >= each && before.percent < each)
  return step ? `${step} % done.` : ""
}

/** The title with the percentage of a run that is going, without it otherwise. */
export const titled = (/** @type {string} */ title, /** @type {{percent: number, state: string}} */ now) => {
  const plain = title.replace(/^\(\d+ %\) /, "")
  return ["queued", "running", "stopping"].includes(now.state) ? `(${now.percent} %) ${plain}` : plain
}

const read = (/** @type {HTMLElement} */ run) => ({
  percent: Number(run.dataset.percent),
  failed: Number(run.dataset.failed),
  state: run.dataset.state ?? "",
})

function connect() {
  const region = /** @type {HTMLElement} */ (document.querySelector("[data-run-status]"))
  const say = speaker(region)
  const find = () => /** @type {HTMLElement?} */ (document.querySelector("[data-run]"))
  /** @type {{percent: number, failed: number, state: string} | null} */
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
  document.addEventListener("htmx:before:request", (event) => {
    if (document.hidden && event.target instanceof Element && event.target.matches("[data-run]")) event.preventDefault()
  })
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) find()?.dispatchEvent(new Event("plateau:visible"))
  })
}

if (globalThis.document) connect()
