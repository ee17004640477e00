// Status of the page in words: progress, saved, not yet sent, offline, refused.

import { html, partsOf } from "../shared/elements.js";
import { UnsentStrip } from "../shared/unsent-strip.js";
import { counts, timeLeft } from "./progress.js";

const SHOWN_FOR = 4000 // ms

export class Status {
  #find
  /** @type {number | undefined} */
  #fading
  #strip = new UnsentStrip("answer")
  waiting = 0

  constructor(root) {
    this.#find = partsOf(root)
  }

  /** @param {{done: number, toGo: number, skipped: number}} queue */
  progress(queue, pace) {
    const bar = this.#find("progress")
    bar.max = Math.max(1, queue.done + queue.toGo)
    bar.value = queue.done
    this.#find("counts").textContent = counts(queue.done, queue.toGo)
    this.#find("counts").title = queue.skipped ? `${queue.skipped} skipped` : ""
    this.#find("left").textContent = timeLeft(pace, queue.toGo)
  }

  /** Quiet words that go away by themselves. */
  say(text) {
    clearTimeout(this.#fading)
    this.#find("status").textContent = text
    this.#fading = setTimeout(() => (this.#find("status").textContent = ""), SHOWN_FOR)
  }

  /** Shows how many answers the server does not have yet, once that lasts. */
  unsent(n) {
    this.waiting = n
    const offline = navigator.onLine ? "" : "Offline · "
    this.#find("unsent").textContent = n && this.#strip.shown ? `${offline}${n} not yet sent` : ""
  }

  /** @param {import("../shared/sender.js").News} news of an answer that has to wait */
  later(news, lasting) {
    this.#strip.wait(news, lasting)
    this.unsent(news.left)
  }

  /** An answer got through. */
  sent(waitingCount) {
    const sentence = this.#strip.through(waitingCount)
    this.unsent(waitingCount)
    if (sentence) this.say(sentence)
  }

  /** A sentence that stays until it is dealt with, with what can be done. */
  notice(sentence, verb, act) {
    const notice = this.#find("notice")
    const button = (words, onClick = () => undefined) => {
      const click = () => { notice.hidden = true; onClick() }
      return html("button", { type: "button", class: "button button-quiet", click }, words)
    }
    const mend = verb && act ? [button(verb, act)] : []
    notice.replaceChildren(html("p", {}, sentence), ...mend, button("Close"))
    notice.hidden = false
  }

  tabs(text) {
    this.#find("tabs").textContent = text
  }
}
