// @ts-check
// The page of a case: makes its parts, and says what keys and buttons do.

import { speaker } from "../annotate/http.js";
import { createChart } from "../chart.js";
import { Board } from "./board.js";
import { addressed, taken } from "./cases.js";
import { Desk } from "./desk.js";
import { meaning } from "./keyboard.js";
import { Said } from "./said.js";
import { Sender } from "./sender.js";

const part = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector))

async function start() {
  const figure = /** @type {HTMLElement} */ (part("[data-chart]"))
  const chart = createChart(figure, { keys: null })
  const first = taken(document, location.pathname + location.search)
  const http = speaker(first.data.who)
  const said = new Said(/** @type {HTMLElement} */ (part("[data-review-said]")))
  const sender = new Sender((url, fields) => http.post(url, /** @type {any} */ (fields)))
  const board = new Board(chart, figure)
  const desk = new Desk(board, sender, said)
  const actions = actionsOf(desk)
  const act = (/** @type {string} */ name) => {
    board.settle()
    const number = /^mark-(\d)$/.exec(name)
    if (number) return board.point(Number(number[1]))
    if (!Object.hasOwn(actions, name)) return chart.act(name)
    return actions[name]() !== false
  }

  sender.onWait = (waiting) => said.tell(`${waiting} not sent yet; trying again.`)
  document.addEventListener("keydown", (event) => {
    const action = meaning(/** @type {any} */ (event), { singleKeys: document.documentElement.dataset.singleKeys !== "off", dialog: Boolean(part("dialog[open]")) })
    if (action && act(action)) event.preventDefault()
  })
  document.addEventListener("click", (event) => onClick(event, act, board))
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    if (!form.dataset.decision) return
    event.preventDefault()
    board.settle()
    if (form.isConnected) void desk.decide(form) // else it was of the case before
  })
  document.addEventListener("htmx:after:swap", () => {
    if (part("[data-detections]") !== board.legend?.section) board.bind()
  })
  addEventListener("popstate", () => void desk.open(location.href, { visit: "none", fresh: true }))
  addEventListener("beforeunload", (event) => sender.waiting && event.preventDefault())
  await desk.take(first, "none", first.url).catch((error) => chart.words.complain(error))
  document.documentElement.dataset.review = "ready"
}

/** @param {MouseEvent} event @param {(name: string) => boolean} act @param {Board} board */
function onClick(event, act, board) {
  const target = /** @type {HTMLElement} */ (event.target)
  const found = /** @type {HTMLElement | null} */ (target.closest("[data-do], [data-evidence], [data-show], [data-sort], [data-copy-lines]"))
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey)
  if (!found || !plain) return
  const { do: action, evidence, show, sort, copyLines } = found.dataset
  if (action && act(action)) event.preventDefault()
  if (evidence && board.legend) void board.explaining.toggle(evidence, board.legend)
  if (show) board.legend?.showMeant(show)
  if (sort) board.legend?.sort(found, sort)
  if (copyLines !== undefined) void copy(found, board.legend?.address ?? location.href)
}

async function copy(/** @type {HTMLElement} */ button, /** @type {string} */ text) {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = "Copied"
  } catch {
    history.replaceState(null, "", text) // plain http has no clipboard
    button.textContent = "In the address bar"
  }
  setTimeout(() => (button.textContent = label), 2000)
}

/** What keys and buttons do; false where there is nothing to do. @param {Desk} desk @returns {Record<string, () => unknown>} */
function actionsOf(desk) {
  const more = (/** @type {string} */ name) => () => {
    const details = /** @type {HTMLDetailsElement | null} */ (part(`[data-more=${name}]`))
    if (!details) return name === "look-again" && part(".review-decide [disabled]") ? desk.said.tell(part(".review-decide [disabled]")?.title ?? "") : false
    details.open = true
    return /** @type {HTMLElement | null} */ (details.querySelector("[name=text]"))?.focus()
  }
  return {
    next: () => desk.go("next"),
    previous: () => desk.go("previous"),
    skip: () => desk.go("next"),
    accept: () => {
      const form = /** @type {HTMLFormElement | null} */ (part("[data-decision=accept]"))
      return form ? void desk.decide(form) : false
    },
    "look-again": more("look-again"),
    exclude: more("exclude"),
    note: more("note"),
    undo: () => void desk.undo(),
    detectors: () => desk.board.toggleDetectors(),
    present: () => present(desk),
    "leave-field": () => {
      const details = /** @type {HTMLDetailsElement | null} */ (document.activeElement?.closest("[data-more]"))
      if (details) details.open = false
      details?.querySelector("summary")?.focus()
    },
    send: () => /** @type {HTMLFormElement | null | undefined} */ (document.activeElement?.closest("form"))?.requestSubmit(),
  }
}

/** A meeting begins, or ends: the address says so. @param {Desk} desk */
function present(desk) {
  const on = document.body.classList.toggle("is-presenting")
  history.replaceState({}, "", addressed(location.href, on))
  for (const button of document.querySelectorAll("[data-do=present]")) button.setAttribute("aria-pressed", String(on))
  desk.board.revealed.clear()
  desk.board.drawMarks()
  void desk.lookAhead()
}

if (globalThis.document) void start()
