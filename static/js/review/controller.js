// Visits and decisions: the next case is shown at once, decisions are sent meanwhile.

import { prefetch } from "../chart/payload.js";
import { Ahead } from "../shared/ahead.js";
import { caseAddress, fetched, rowOf, SignedOut } from "./cases.js";

/** @typedef {import("./cases.js").Case} Case */

const SAID = { accept: "Kept", "look-again": "Asked again", exclude: "Left out", undo: "Undone",
  note: "Noted" }
const STAYS = new Set(["note", "undo"])
/** Fields that each click makes anew: forms of a case that was shown before are stale. */
const OWN = new Set(["client_id", "csrfmiddlewaretoken"])

export class ReviewController {
  /** Cases decided here, latest last. @type {{url: string, decisions: string, name: string}[]} */
  trail = []
  #wanted = ""

  /** @param {import("./board.js").Board} board @param {import("./decisions.js").Decisions}
   * decisions @param {import("./said.js").Said} said */
  constructor(board, decisions, said) {
    this.board = board
    this.decisions = decisions
    this.said = said
    this.ahead = new Ahead((url) => fetched(url), 2)
  }

  get here() {
    return this.board.here
  }

  /** Shows the case of an address; fresh: as the server has it now. @param {string} url
   * @param {{visit?: "push" | "replace" | "none", fresh?: boolean}} how */
  async open(url, { visit = "push", fresh = false } = {}) {
    const address = caseAddress(url, this.board.presenting)
    this.#wanted = address
    if (fresh) this.ahead.forget(address)
    try {
      const openedCase = await this.ahead.get(address)
      if (this.#wanted !== address) return
      this.ahead.forget(address) // what was shown is old: decisions change it
      await this.take(openedCase, visit, address)
    } catch (/** @type {any} */ error) {
      if (this.#wanted !== address) return
      if (error instanceof SignedOut) this.said.signIn() // as a decision that waits for it says
      else this.said.complain(error.message)
    }
  }

  /** @param {Case} openedCase @param {"push" | "replace" | "none"} visit */
  async take(openedCase, visit, address) {
    await this.board.show(openedCase)
    if (visit === "push") history.pushState({}, "", address)
    else if (visit === "replace") history.replaceState({}, "", address)
    if (visit !== "none") void this.lookAhead()
  }

  /** The next case is drawn, and the one behind it fetched: two keys in a row need not wait. */
  async lookAhead() {
    const { here } = this
    const isHere = () => this.here === here
    if (!here.data.next) return
    const nextCase = this.ahead.get(caseAddress(here.data.next, this.board.presenting))
    await this.board.prepare(nextCase, isHere)
    const preparedCase = await nextCase.catch(() => null) // said when it is shown
    if (!preparedCase?.data.next || !isHere()) return
    const behind = this.ahead.get(caseAddress(preparedCase.data.next, this.board.presenting))
    behind.then(({ data }) => prefetch(data.series), () => undefined)
  }

  /** @param {"next" | "previous"} way */
  go(way) {
    const url = this.here.data[way]
    if (url) void this.open(url)
    else this.said.tell(way === "next" ? "This is the last case." : "This is the first case.")
  }

  /** Sends what a form says, and goes on. */
  async decide(form) {
    const { here } = this
    const fields = [...new FormData(form)].filter(([name]) => !OWN.has(name))
    const kind = form.dataset.decision ?? ""
    const about = { url: here.url, name: here.data.name, decisions: here.data.decisions }
    const reply = this.#send(fields, kind, about)
    if (STAYS.has(kind)) {
      if (await reply && this.here === here)
        void this.open(here.url, { visit: "none", fresh: true })
      return
    }
    this.trail.push(about)
    rowOf(about.url)?.setAttribute("data-decided", SAID[kind].toLowerCase())
    if (here.data.next) return this.open(here.data.next)
    if (await reply) location.assign(here.data.queue)
  }

  /** The latest decision counts no more; its case is shown again. */
  async undo() {
    const form = document.querySelector("[data-decision=undo]")
    if (form) return this.decide(form)
    const lastDecision = this.trail.pop()
    if (!lastDecision) return this.said.tell("Nothing was decided here yet.")
    const isUndone = await this.#send([["kind", "undo"], ["text", ""]], "undo", lastDecision)
    if (isUndone) rowOf(lastDecision.url)?.removeAttribute("data-decided")
    if (isUndone) await this.open(lastDecision.url, { fresh: true })
  }

  /** True when it is stored. */
  async #send(fields, kind, about) {
    this.said.tell(`${SAID[kind]}: ${about.name}.`, { undo: !STAYS.has(kind) })
    const reply = await this.decisions.send(about.decisions, fields, about)
    if (!reply) {
      this.trail = this.trail.filter((decision) => decision !== about)
      rowOf(about.url)?.removeAttribute("data-decided")
    }
    return reply
  }
}
