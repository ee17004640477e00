// @ts-check
// Where one goes and what one decides: the next case is shown at once, the decision goes in the background.

import { newId } from "../annotate/ids.js";
import { Ahead } from "../annotate/queue.js";
import { prefetch } from "../payload.js";
import { addressed, fetched } from "./cases.js";

/** @typedef {import("./cases.js").Case} Case */

const SAID = /** @type {Record<string, string>} */ ({ accept: "Accepted", "look-again": "Asked for another look", exclude: "Excluded", undo: "Taken back", note: "Noted" })
const STAYS = new Set(["note", "undo"])

export class Desk {
  /** Cases that were decided here, latest last. @type {{url: string, decisions: string, name: string}[]} */
  trail = []
  #wanted = ""

  /** @param {import("./board.js").Board} board @param {import("./sender.js").Sender} sender @param {import("./said.js").Said} said */
  constructor(board, sender, said) {
    this.board = board
    this.sender = sender
    this.said = said
    this.ahead = /** @type {any} */ (new Ahead((/** @type {any} */ url) => fetched(url), 2))
  }

  get here() {
    return this.board.here
  }

  /** Shows the case of an address. @param {string} url @param {{visit?: "push" | "replace" | "none", fresh?: boolean}} [how] */
  async open(url, { visit = "push", fresh = false } = {}) {
    const address = addressed(url, this.board.presenting)
    this.#wanted = address
    if (fresh) this.ahead.forget(address)
    try {
      const found = await this.ahead.get(address)
      if (this.#wanted !== address) return
      this.ahead.forget(address) // what was shown is old: decisions change it
      await this.take(found, visit, address)
    } catch (error) {
      if (this.#wanted === address) this.said.complain(/** @type {Error} */ (error).message)
    }
  }

  /** @param {Case} found @param {"push" | "replace" | "none"} visit @param {string} address */
  async take(found, visit, address) {
    await this.board.show(found)
    if (visit === "push") history.pushState({}, "", address)
    else if (visit === "replace") history.replaceState({}, "", address)
    void this.lookAhead()
  }

  /** The next case is drawn, and the one behind it fetched, so that two keys in a row need not wait either. */
  async lookAhead() {
    const { here } = this
    const isHere = () => this.here === here
    if (!here.data.next) return
    const next = this.ahead.get(addressed(here.data.next, this.board.presenting))
    await this.board.prepare(next, isHere)
    const found = await next.catch(() => null) // said when it is shown
    if (!found?.data.next || !isHere()) return
    const behind = this.ahead.get(addressed(found.data.next, this.board.presenting))
    behind.then(({ data }) => prefetch(data.series), () => undefined)
  }

  /** @param {"next" | "previous"} way */
  go(way) {
    const url = this.here.data[way]
    if (url) void this.open(url)
    else this.said.tell(way === "next" ? "This is the last case." : "This is the first case.")
  }

  /** Sends what a form says, and goes on. @param {HTMLFormElement} form */
  async decide(form) {
    const { here } = this
    const fields = /** @type {[string, string][]} */ ([...new FormData(form)].filter(([name]) => name !== "client_id" && name !== "csrfmiddlewaretoken"))
    const kind = form.dataset.decision ?? ""
    const sent = this.#send(here.data.decisions, fields, kind, here)
    if (STAYS.has(kind)) return void ((await sent) && this.here === here && this.open(here.url, { visit: "none", fresh: true }))
    this.trail.push({ url: here.url, decisions: here.data.decisions, name: here.data.name })
    if (here.data.next) return this.open(here.data.next)
    if (await sent) location.assign(here.data.queue)
  }

  /** The latest decision counts no more; its case is shown again. */
  async undo() {
    const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-decision=undo]"))
    if (form) return this.decide(form)
    const last = this.trail.pop()
    if (!last) return this.said.tell("Nothing was decided here yet.")
    const done = await this.#send(last.decisions, [["kind", "undo"], ["text", ""]], "undo", { url: last.url, data: last })
    if (done) await this.open(last.url, { fresh: true })
  }

  /** True when it is stored. @param {string} url @param {[string, string][]} fields @param {string} kind @param {{url: string, data: {name: string}}} about */
  async #send(url, fields, kind, about) {
    const { name } = about.data
    // Forms of a case that was shown before its decision arrived are stale: each click has a name of its own.
    this.said.tell(`${SAID[kind]}: ${name}.`, { undo: !STAYS.has(kind) })
    try {
      await this.sender.send(url, [...fields, ["client_id", newId()]])
      return true
    } catch (error) {
      this.trail = this.trail.filter((one) => one.decisions !== url)
      this.said.complain(`${name}: ${/** @type {Error} */ (error).message}`, about.url)
      return false
    }
  }
}
