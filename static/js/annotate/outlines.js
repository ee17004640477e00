// Picking series by their outlines: keys between them, one stop for Tab, the count at each tick.

import { whole } from "../shared/format.js";
import { onKeys } from "../shared/keyboard.js";

const GRID = "[data-outlines]"
const BUTTONS = { on: "#pick-on", back: "#pick-back", all: "#pick-all", none: "#pick-none" }
const TURNS = ["on", "back"]

/**
 * Index of the outline that a key leads to, in a grid that is filled row by row; the same where
 * there is none. Pure.
 * @param {number} at of `count` outlines, `columns` in a row
 */
export function neighbour(action, at, count, columns) {
  const places = { left: at - 1, right: at + 1, up: at - columns, down: at + columns,
    first: 0, last: count - 1 }
  const to = places[action] ?? at
  return to < 0 || to >= count ? at : to
}

/** How many stand in the first row, by their tops. Pure. */
export function columnsOf(tops) {
  const next = tops.findIndex((top) => top !== tops[0])
  return next < 0 ? tops.length : next
}

const boxesOf = (place) => [...place.querySelectorAll(`${GRID} input`)]

/** Tab reaches one box of the grid, arrows the others. */
function becomeTheStop(box) {
  for (const one of boxesOf(box.closest(GRID))) one.tabIndex = one === box ? 0 : -1
}

/** The whole number is that of other pages, which the server counts, and the ticks of this one. */
function showCount(place) {
  const shown = place.querySelector("[data-picked]")
  const ticked = boxesOf(place).filter((box) => box.checked).length
  shown.textContent = whole(Number(shown.dataset.picked) + ticked)
}

/**
 * What is picked after all, of the ids that a server's answer names: ticks that were made while it
 * was on its way count. Pure.
 * @param {string} ids
 * @param {Map<string, boolean>} late whether each id was ticked
 */
export function caughtUp(ids, late) {
  const picked = new Set(ids.split(" ").filter(Boolean))
  for (const [id, ticked] of late) ticked ? picked.add(id) : picked.delete(id)
  return picked
}

function catchUp(place, late) {
  const field = place.querySelector("[name=picked]")
  const picked = caughtUp(field.value, late)
  field.value = [...picked].join(" ")
  for (const box of boxesOf(place)) box.checked = picked.has(box.value)
  const here = boxesOf(place).filter((box) => box.checked).length
  place.querySelector("[data-picked]").dataset.picked = String(picked.size - here)
  showCount(place)
}

export function connect(place) {
  const late = new Map()
  let comesBack = false
  let took = false // all or none
  let focused = "" // id of the box that had the focus before others came

  /** Does what a key says; false where it is not the grid's. */
  function act(action) {
    const boxes = boxesOf(place)
    const at = boxes.indexOf(document.activeElement)
    const button = place.querySelector(BUTTONS[action])
    if (button && (at >= 0 || !TURNS.includes(action))) {
      comesBack = at >= 0 && !button.disabled
      button.click()
      return true
    }
    if (at < 0 || BUTTONS[action]) return false
    const tops = boxes.map((box) => box.parentElement.offsetTop)
    boxes[neighbour(action, at, boxes.length, columnsOf(tops))].focus()
    return true
  }

  /** Of outlines that have come the first is the stop, unless the one before is there still. */
  function dress() {
    const [first] = boxesOf(place)
    if (!first) return
    if (late.size) catchUp(place, late)
    const same = focused ? boxesOf(place).find((box) => box.id === focused) : null
    becomeTheStop(same ?? first)
    if (focused || comesBack) (same ?? first).focus()
    comesBack = false
    if (took) place.closest("form")?.dispatchEvent(new Event("change")) // its draft is kept
    took = false
  }

  onKeys("outlines", act)
  place.addEventListener("change", ({ target }) => {
    if (!target.matches("[name=pick]")) return
    late.set(target.value, target.checked)
    showCount(place)
  })
  place.addEventListener("click", ({ target }) => (took ||= target.name === "take"))
  document.addEventListener("htmx:before:request", () => late.clear())
  document.addEventListener("htmx:before:swap", () => {
    const active = document.activeElement
    focused = active?.closest(GRID) ? active.id : ""
  })
  place.addEventListener("focusin", ({ target }) => target.closest(GRID) && becomeTheStop(target))
  document.addEventListener("htmx:after:swap", dress)
}

if (globalThis.document) {
  const place = document.getElementById("chosen-series")
  if (place) connect(place)
}
