// The page of a comparison: connects its drawings, again whenever they were drawn anew.

import { connectFigures, figureIn } from "../figures/page.js";
import { connectEach } from "../shared/swapped.js";
import { followCell } from "./cells.js";
import { Distribution } from "./distribution.js";
import { printWhole } from "./print-whole.js";

/** Tables that were opened, by id: drawn anew they stay as the person had them. */
const openedParts = new Set()

/** Focus and scroll of the page before it was loaded again. */
let lastView = { focus: "", y: NaN }

function leaving({ detail }) {
  if (detail?.ctx?.target?.id === "content") lastView = {
    focus: document.activeElement?.id ?? "", y: scrollY }
}

function reopen() {
  for (const id of openedParts) document.getElementById(id)?.setAttribute("open", "")
}

function connectDistribution(host) {
  connectFigures()
  new Distribution(host.closest("section"), figureIn(host.querySelector("[data-plot]")))
  if (lastView.focus) document.getElementById(lastView.focus)?.focus({ preventScroll: true })
  if (!Number.isNaN(lastView.y)) scrollTo({ top: lastView.y, behavior: "instant" })
  lastView = { focus: "", y: NaN }
}

/** Ticks all of the methods that the search leaves, or none. */
function checkMethods(button) {
  for (const box of button.closest(".menu-list").querySelectorAll(".choice:not([hidden]) input"))
    box.checked = button.dataset.check === "all"
}

/** The .zip that was asked for is there: it is saved without another press. */
function saveMade() {
  const saveButton = document.querySelector("[data-save-now]")
  saveButton?.removeAttribute("data-save-now")
  saveButton?.click()
}

document.addEventListener("toggle", ({ target }) => {
  if (!(target instanceof HTMLDetailsElement) || !target.id) return
  if (target.open) openedParts.add(target.id)
  else if (target.isConnected) openedParts.delete(target.id)
}, true)
document.addEventListener("click", followCell)
document.addEventListener("click", ({ target }) => target.dataset?.check && checkMethods(target))
document.addEventListener("click", ({ target }) =>
  target.closest?.("[data-print-whole]") && void printWhole())
document.addEventListener("htmx:before:request", (event) => leaving(event))
document.addEventListener("htmx:after:swap", reopen)
document.addEventListener("htmx:after:swap", saveMade)
connectEach("[data-ecdf]", connectDistribution)
