// Choosing rows of a list: a box in each row, and links that take what is chosen along.

import { html } from "../shared/elements.js";

const MOST = 250 // ids that an address has room for

/** Name of a row in an address: the last part of its link. */
export const idOf = (href) => href.replace(/\/+$/, "").split("/").at(-1) ?? ""

/** A query with the chosen ids, and the recording that the list is about, where it says one. */
export function addressWith(search, ids, recording = "") {
  const query = new URLSearchParams(search)
  for (const [name, value] of [["only", [...ids].join(" ")], ["recording", recording]]) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  return `?${query}`
}

export const chosenWords = (count) => `${count} chosen${count >= MOST ? ", no more fit" : ""}`

export function connect(list, bar) {
  const chosenIds = new Set()
  const links = [...bar.querySelectorAll("a")]
  const boxes = () => [...list.querySelectorAll("input[data-id]")]

  function show() {
    bar.hidden = !chosenIds.size
    const words = bar.querySelector("b")
    if (words) words.textContent = chosenWords(chosenIds.size)
    const recording = document.querySelector(".dataset-filters select[name=recording]")?.value
    for (const link of links) link.search = addressWith(link.search, chosenIds, recording)
    for (const box of boxes()) {
      box.checked = chosenIds.has(box.dataset.id ?? "")
      box.disabled = !box.checked && chosenIds.size >= MOST
    }
  }

  /** Rows come later, too: by a filter, or when more are asked for. */
  function dress() {
    for (const link of list.querySelectorAll("tbody td:first-child > a:first-child")) {
      link.before(html("input", { type: "checkbox", class: "check",
        "data-id": idOf(link.pathname), "aria-label": `Choose ${link.textContent}` }))
    }
    show()
  }

  list.addEventListener("change", (event) => {
    const box = event.target
    if (!box.dataset.id) return
    if (box.checked) chosenIds.add(box.dataset.id)
    else chosenIds.delete(box.dataset.id)
    show()
  })
  bar.querySelector("button")?.addEventListener("click", () => {
    chosenIds.clear()
    show()
  })
  new MutationObserver(() => list.querySelector("tbody td:first-child > a:first-child")
    && dress()).observe(list, { childList: true, subtree: true })
  dress()
}

if (globalThis.document) {
  const list = document.querySelector("[data-rows]")
  const bar = document.querySelector("[data-chosen]")
  if (list && bar) connect(list, bar)
}
