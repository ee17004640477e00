// The case beside its list: makes its parts, and says what keys and buttons do.

import { createChart } from "../chart/chart.js";
import * as parts from "../chart/overlay.js";
import * as strip from "../chart/strip-parts.js";
import { apiClient } from "../shared/api-client.js";
import { onKeys } from "../shared/keyboard.js";
import { Board } from "./board.js";
import { caseAddress, caseOfPage } from "./cases.js";
import { ReviewController } from "./controller.js";
import { Decisions } from "./decisions.js";
import { Said } from "./said.js";

const part = (selector) => document.querySelector(selector)
const isCase = () => part("main").classList.contains("is-case")

async function start() {
  const figure = part("[data-chart]")
  const chart = createChart(figure, { keys: null, parts, strip })
  const shownAddress = part("[data-listed-case][aria-current]")?.getAttribute("href")
  const address = isCase() ? location.pathname + location.search : shownAddress
  const firstCase = caseOfPage(document, address)
  const said = new Said(part("[data-review-said]"))
  const decisions = new Decisions(said)
  const board = new Board(chart, figure)
  const review = new ReviewController(board, decisions, said)
  const actions = actionsOf(review)
  const act = (name) => {
    board.settle()
    const number = /^mark-(\d)$/.exec(name)
    if (number) return board.point(Number(number[1]))
    if (!Object.hasOwn(actions, name)) return chart.act(name)
    return actions[name]() !== false
  }

  await decisions.connect(firstCase.data.who, apiClient(firstCase.data.who))
  onKeys("review", act)
  document.addEventListener("click", (event) => onClick(event, act, review))
  document.addEventListener("submit", (event) => {
    const form = event.target
    if (!form.dataset.decision) return
    event.preventDefault()
    board.settle()
    if (form.isConnected) void review.decide(form) // else it was of the case before
  })
  document.addEventListener("htmx:after:swap", () => {
    if (part("[data-detections]") !== board.legend?.section) board.bind()
  })
  /** @type {{visit: "none", fresh: boolean}} */
  const again = { visit: "none", fresh: true }
  addEventListener("popstate", () => {
    // The list's own address shows its first case.
    const url = /disagreements\/$/.test(location.pathname) ? firstCase.url : location.href
    void review.open(url, again)
  })
  addEventListener("beforeunload", (event) => decisions.waiting && event.preventDefault())
  await review.take(firstCase, "none", firstCase.url).catch((error) => chart.words.complain(error))
  // Whoever only looks at the first case needs no other one.
  const waitEnd = new AbortController()
  const begin = () => { waitEnd.abort(); void review.lookAhead() }
  for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"])
    addEventListener(sign, begin, { signal: waitEnd.signal })
  document.documentElement.dataset.review = "ready"
}

function onClick(event, act, review) {
  const target = event.target
  const control = target.closest("[data-do], [data-evidence], [data-show], [data-sort], "
    + "[data-copy-lines], [data-fold], button[data-more], [data-listed-case]")
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey)
  if (!control || !plain) return
  if (control.dataset.listedCase !== undefined) {
    event.preventDefault()
    return void review.open(control.getAttribute("href"))
  }
  if (control.dataset.do && act(control.dataset.do)) event.preventDefault()
  review.board.detections.act(control)
}

/** Actions of keys and buttons; false where there is nothing to do. */
function actionsOf(review) {
  const loadMore = (name) => () => {
    const form = part(`[data-more=${name}]`)
    const closedForm = name === "look-again" && part(".review-decide [disabled]")
    if (!form) return closedForm ? review.said.tell(closedForm.title) : false
    const details = form.closest("details")
    details.open = true
    return form.querySelector("[name=take], [name=text]")?.focus()
  }
  return {
    next: () => review.go("next"),
    previous: () => review.go("previous"),
    skip: () => review.go("next"),
    accept: () => {
      const form = part("[data-decision=accept]")
      return form ? void review.decide(form) : false
    },
    "look-again": loadMore("look-again"),
    take: loadMore("take"),
    exclude: loadMore("exclude"),
    note: loadMore("note"),
    undo: () => void review.undo(),
    detectors: () => review.board.toggleDetectors(),
    present: () => present(review),
    "leave-field": () => {
      const details = document.activeElement?.closest("details:has([name=text])")
      if (details) details.open = false
      details?.querySelector("summary")?.focus()
    },
    send: () => document.activeElement?.closest("form")?.requestSubmit(),
  }
}

/** A meeting begins, or ends: the address says so. */
function present(review) {
  const on = document.body.classList.toggle("is-presenting")
  history.replaceState({}, "", caseAddress(location.href, on))
  for (const button of document.querySelectorAll("[data-do=present]"))
    button.setAttribute("aria-pressed", String(on))
  review.board.revealed.clear()
  review.board.drawMarks()
  void review.lookAhead()
}

// On a phone the list comes first: a case is a page of its own.
if (globalThis.document && part("[data-case-column]").checkVisibility()) void start()
