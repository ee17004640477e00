// @ts-check
// What the page says of itself: progress, saved, not yet sent, offline, refused.

import { counts, timeLeft } from "./progress.js";

const SHOWN_FOR = 4000 // ms

const clock = (/** @type {Date} */ when) => when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
const answers = (/** @type {number} */ n) => (n === 1 ? "1 answer" : `${n} answers`)

/** The strip while answers cannot be sent. @param {Date} since @param {number} waiting @param {number} status 0: not reached @param {boolean} [lasting] whether they outlive the tab */
export function offlineSentence(since, waiting, status, lasting = true) {
  const why = status === 0 ? `Offline since ${clock(since)}` : `The server has not taken answers since ${clock(since)} (it says ${status})`
  const kept = waiting === 1 ? "1 answer is" : `${waiting} answers are`
  // A private window or a full disk: the page's memory is all there is.
  return `${why}. ${kept} kept ${lasting ? "here and will be sent." : "in this tab only: leave it open."}`
}

export const signInSentence = (/** @type {number} */ waiting) =>
  waiting ? `You were signed out. Sign in to send ${answers(waiting)}.` : "You were signed out. Sign in to go on."

export class Status {
  #find
  /** @type {any} */
  #fading = null
  /** @type {Date | null} */
  #since = null
  #late = 0
  waiting = 0

  /** @param {ParentNode} root */
  constructor(root) {
    this.#find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-${name}]`))
  }

  /** @param {{done: number, toGo: number, skipped: number}} queue @param {number[]} pace */
  progress(queue, pace) {
    const bar = /** @type {HTMLProgressElement} */ (this.#find("progress"))
    bar.max = Math.max(1, queue.done + queue.toGo)
    bar.value = queue.done
    this.#find("counts").textContent = counts(queue.done, queue.toGo)
    this.#find("counts").title = queue.skipped ? `${queue.skipped} skipped` : ""
    this.#find("left").textContent = timeLeft(pace, queue.toGo)
  }

  /** Quiet words that go away by themselves. @param {string} text */
  say(text) {
    clearTimeout(this.#fading)
    this.#find("status").textContent = text
    this.#fading = setTimeout(() => (this.#find("status").textContent = ""), SHOWN_FOR)
  }

  /** How many answers the server does not have yet; said in the bar once that lasts. @param {number} n */
  unsent(n) {
    this.waiting = n
    this.#find("unsent").textContent = n && this.#since ? `${n} not yet sent` : ""
  }

  /** @param {number} waiting @param {number} status @param {boolean} lasting */
  offline(waiting, status, lasting) {
    this.#since ??= new Date()
    this.#late = Math.max(this.#late, waiting)
    this.#strip(offlineSentence(this.#since, waiting, status, lasting))
    this.unsent(waiting)
  }

  /** An answer got through. @param {number} left */
  sent(left) {
    this.unsent(left)
    if (!this.#since || left) return
    this.#since = null
    this.#strip("")
    this.say(`Sent ${answers(this.#late)}.`)
    this.#late = 0
  }

  /** A sentence that stays until it is dealt with, with what can be done. @param {string} sentence @param {string} [verb] @param {() => void} [act] */
  notice(sentence, verb, act) {
    const place = this.#find("notice")
    const close = button("Close", () => { place.hidden = true })
    const mend = verb && act ? [button(verb, () => { place.hidden = true; act() })] : []
    const text = document.createElement("p")
    text.textContent = sentence
    place.replaceChildren(text, ...mend, close)
    place.hidden = false
  }

  /** @param {string} text */
  tabs(text) {
    this.#find("tabs").textContent = text
  }

  /** @param {string} text */
  #strip(text) {
    const strip = /** @type {HTMLElement} */ (document.querySelector("[data-page-status]"))
    if (strip.textContent !== text) strip.textContent = text
  }
}

function button(/** @type {string} */ text, /** @type {() => void} */ act) {
  const made = document.createElement("button")
  Object.assign(made, { type: "button", className: "button button-quiet", textContent: text })
  made.addEventListener("click", act)
  return made
}
