// Picking series by their outlines: keys between them, one stop for Tab, the count at each tick.

import { formatWhole } from "../shared/format.js";
import { onKeys } from "../shared/keyboard.js";

const GRID = "[data-outlines]"
const BUTTONS = { on: "#pick-on", back: "#pick-back", all: "#pick-all", none: "#pick-none" }
const TURNS = ["on", "back"]

/**
 * Index of the outline that a key leads to, in a grid that is filled row by row; the same where
 * there is none. Pure.
 * @param {number} index of `count` outlines, `columns` in a row
 */
export function neighbour(action, index, count, columns) {
  const indexByKey = { left: index - 1, right: index + 1, up: index - columns,
    down: index + columns, first: 0, last: count - 1 }
  const to = indexByKey[action] ?? index
  return to < 0 || to >= count ? index : to
}

/** Number of boxes in the first row, by their tops. Pure. */
export function columnsOf(tops) {
  const secondRow = tops.findIndex((top) => top !== tops[0])
  return secondRow < 0 ? tops.length : secondRow
}

const boxesOf = (section) => [...section.querySelectorAll(`${GRID} input`)]

/** Tab reaches one box of the grid, arrows the others. */
function becomeTheStop(box) {
  for (const gridBox of boxesOf(box.closest(GRID))) gridBox.tabIndex = gridBox === box ? 0 : -1
}

/** The whole number is that of other pages, which the server counts, and the ticks of this one. */
function showCount(section) {
  const countNode = section.querySelector("[data-picked]")
  const ticked = boxesOf(section).filter((box) => box.checked).length
  countNode.textContent = formatWhole(Number(countNode.dataset.picked) + ticked)
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

function catchUp(section, late) {
  const field = section.querySelector("[name=picked]")
  const picked = caughtUp(field.value, late)
  field.value = [...picked].join(" ")
  for (const box of boxesOf(section)) box.checked = picked.has(box.value)
  const checkedCount = boxesOf(section).filter((box) => box.checked).length
  section.querySelector("[data-picked]").dataset.picked = String(picked.size - checkedCount)
  showCount(section)
}

export function connect(section) {
  const late = new Map()
  let comesBack = false
  let took = false // all or none
  let focused = "" // id of the box that had the focus before others came

  /** Does what a key says; false where it is not the grid's. */
  function act(action) {
    const boxes = boxesOf(section)
    const index = boxes.indexOf(document.activeElement)
    const button = section.querySelector(BUTTONS[action])
    if (button && (index >= 0 || !TURNS.includes(action))) {
      comesBack = index >= 0 && !button.disabled
      button.click()
      return true
    }
    if (index < 0 || BUTTONS[action]) return false
    const tops = boxes.map((box) => box.parentElement.offsetTop)
    boxes[neighbour(action, index, boxes.length, columnsOf(tops))].focus()
    return true
  }

  /** Makes the first of the new outlines the stop of Tab, unless the old stop is there still. */
  function dress() {
    const [firstBox] = boxesOf(section)
    if (!firstBox) return
    if (late.size) catchUp(section, late)
    const sameBox = focused ? boxesOf(section).find((box) => box.id === focused) : null
    becomeTheStop(sameBox ?? firstBox)
    if (focused || comesBack) (sameBox ?? firstBox).focus()
    comesBack = false
    if (took) section.closest("form")?.dispatchEvent(new Event("change")) // its draft is kept
    took = false
  }

  onKeys("outlines", act)
  section.addEventListener("change", ({ target }) => {
    if (!target.matches("[name=pick]")) return
    late.set(target.value, target.checked)
    showCount(section)
  })
  section.addEventListener("click", ({ target }) => (took ||= target.name === "take"))
  document.addEventListener("htmx:before:request", () => late.clear())
  document.addEventListener("htmx:before:swap", () => {
    const active = document.activeElement
    focused = active?.closest(GRID) ? active.id : ""
  })
  section.addEventListener("focusin", ({ target }) => target.closest(GRID) && becomeTheStop(target))
  document.addEventListener("htmx:after:swap", dress)
}

if (globalThis.document) {
  const section = document.getElementById("chosen-series")
  if (section) connect(section)
}
