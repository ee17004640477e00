// Choosing rows of a list: a box in each row, and links that take what is chosen along.

import { html } from "../shared/elements.js";

const MOST = 250 // ids that an address has room for

/** What a row is called in an address: the last part of its link. */
export const idOf = (href) => href.replace(/\/+$/, "").split("/").at(-1) ?? ""

/** A query with the chosen ids, and the recording that the list is about, where it says one. */
export function carrying(search, ids, recording = "") {
  const query = new URLSearchParams(search)
  for (const [name, value] of [["only", [...ids].join(" ")], ["recording", recording]]) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  return `?${query}`
}

export const told = (count) => (count >= MOST ? `${count} chosen, no more fit` : `${count} chosen`)

export function connect(list, bar) {
  const chosen = new Set()
  const links = [...bar.querySelectorAll("a")]
  const boxes = () => [...list.querySelectorAll("input[data-id]")]

  function show() {
    bar.hidden = !chosen.size
    const words = bar.querySelector("b")
    if (words) words.textContent = told(chosen.size)
    const recording = document.querySelector(".dataset-filters select[name=recording]")?.value
    for (const link of links) link.search = carrying(link.search, chosen, recording)
    for (const box of boxes()) {
      box.checked = chosen.has(box.dataset.id ?? "")
      box.disabled = !box.checked && chosen.size >= MOST
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
    if (box.checked) chosen.add(box.dataset.id)
    else chosen.delete(box.dataset.id)
    show()
  })
  bar.querySelector("button")?.addEventListener("click", () => {
    chosen.clear()
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
