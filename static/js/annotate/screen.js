// Which of its faces the page shows: a series, waiting for one, one that did not come, the end.

import { partsOf } from "../shared/elements.js";

export class Screen {
  #root
  #part = partsOf(document)
  /** @type {(position: number) => void} */
  onRetry = () => undefined

  constructor(root) {
    this.#root = root
    this.#part("retry").addEventListener("click", () => this.onRetry(Number(root.dataset.failed)))
  }

  /** True if the person can be looking at the page. */
  get attended() {
    return document.visibilityState === "visible" && document.hasFocus()
  }

  /** @param {import("./series.js").Task} task @param {"push" | "replace" | "none"} visit */
  show(task, visit, url) {
    const name = `Series ${task.position}`
    this.#part("heading").textContent = name
    this.#part("name").textContent = task.name
    this.#part("question").textContent = task.question
    this.#root.querySelector("#chart-description").textContent = task.description
    document.title = `${name} · ${this.#root.dataset.campaign} · Plateau`
    if (visit === "push" && location.pathname !== url)
      history.pushState({ position: task.position }, "", url)
    else if (visit === "replace") history.replaceState({ position: task.position }, "", url)
    this.#face("series")
  }

  wait(position) {
    this.#part("heading").textContent = `Series ${position}`
    this.#part("waiting").textContent = "Loading the values."
    this.#face("waiting")
  }

  fail(position, error) {
    this.#part("heading").textContent = `Series ${position}`
    this.#root.dataset.failed = String(position)
    const offline = "Offline: the next series is not here yet."
    this.#part("failure").textContent = navigator.onLine ? `Series ${position}: ${error.message}`
      : offline
    this.#face("failed")
  }

  /** @param {{done: number}} queue */
  end({ done }) {
    this.#part("heading").textContent = "Done"
    this.#part("thanks").textContent = `All ${done} answered. Thank you.`
    this.#face("end")
    this.#part("thanks").focus()
  }

  get face() {
    return this.#root.dataset.face
  }

  /** @param {"series" | "waiting" | "failed" | "end"} face */
  #face(face) {
    this.#root.dataset.face = face
    // While no series is shown there is nothing to answer.
    this.#part("panel").inert = face !== "series"
  }
}
