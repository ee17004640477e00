// The answer of the cost page: its sentence follows the method that is pointed at.

import { figureIn } from "../figures/page.js";
import { ringed } from "./ring.js";

const WAIT = 250 // ms: sentences do not flicker while the pointer crosses symbols

let waiting = 0

const part = (name) => document.querySelector(`[data-cost-${name}]`)

function tell(name) {
  const known = JSON.parse(document.getElementById("cost-sentences")?.textContent ?? "{}")[name]
  if (!known) return
  const [sentence, note, symbol] = known
  part("sentence").textContent = sentence
  part("note").textContent = note
  part("symbol").className = `symbol ${symbol}`
  for (const row of document.querySelectorAll("[data-cost-row]")) {
    row.classList.toggle("is-raised", row.dataset.costRow === name)
  }
  const drawn = figureIn(document.getElementById("cost-scatter"))
  if (!drawn?.graph) return
  drawn.figure = { ...drawn.figure, data: ringed(drawn.figure, name) }
  drawn.draw()
}

/** Tells of a method once it is pointed at for a moment. */
function point(name) {
  clearTimeout(waiting)
  if (name) waiting = setTimeout(tell, WAIT, name)
}

const rowOf = ({ target }) => target.closest?.("[data-cost-row]")?.dataset.costRow

/** Graphs that are listened to already: a figure is drawn more than once. */
const heard = new WeakSet()

function listen({ detail: { host, graph } }) {
  if (host.id !== "cost-scatter" || heard.has(graph)) return
  heard.add(graph)
  graph.on("plotly_hover", ({ points: [{ id }] }) => point(id))
  graph.on("plotly_unhover", () => point(""))
}

/** Opens the fold that the link below the short table leads to. */
function unfold({ target }) {
  if (!target.closest?.("[data-cost-all]")) return
  document.getElementById("all-methods")?.setAttribute("open", "")
}

if (globalThis.document) {
  document.addEventListener("plot:drawn", (event) => listen(event))
  document.addEventListener("pointerover", (event) => point(rowOf(event)))
  document.addEventListener("focusin", (event) => point(rowOf(event)))
  document.addEventListener("click", unfold)
}
