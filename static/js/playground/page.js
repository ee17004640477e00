// Trying a method: a series, its parameters; the mark moves as they do.

import { createChart } from "../chart/chart.js";
import * as parts from "../chart/overlay.js";
import { EvidencePanels } from "../chart/evidence.js";
import { linesOf, MOST_PINS, queryOf } from "./answers.js";
import { Asking } from "./asking.js";
import { forChart } from "./codec.js";
import { Method } from "./method.js";
import { Source } from "./source.js";
import { writeRows } from "./table.js";

const HOLDS = "The address of this page holds the method, its parameters, your mark and pins"
const LINK = `${HOLDS}, and the series by what it is made from or by its digest.`
const NO_VALUES = `${HOLDS}. Your values are in this tab only: send them along with the link.`
const NO_ANSWER = { code: "", params: [], slot: 0, command: "", prepare: "" }
const find = (selector) => document.querySelector(selector)

class Playground {
  constructor(root, data) {
    this.root = root
    this.current = null
    this.pins = []
    this.mark = data.mark
    this.asking = new Asking()
    const onPick = (index, phase) => ["click", "drop"].includes(phase) && this.setMark(index)
    this.chart = createChart(find("[data-chart]"), { onPick, parts })
    // On a phone the chart stays in view and what explains it scrolls beneath it.
    const section = matchMedia("(width < 960px)").matches ? "play" : "chart"
    this.evidence = new EvidencePanels(find(`[data-${section}-evidence]`), this.chart)
    const { series, query } = data
    this.source = new Source(find("[data-play-series]"), series, query, () => void this.open())
    const press = () => void this.answer({ press: true })
    this.method = new Method(find("[data-play-method]"), () => void this.answer(), press)
    this.connect()
    void this.open(data.pins)
  }

  connect() {
    document.addEventListener("htmx:after:swap", () => {
      if (this.shown === find("#play-parameters")) return
      this.shown = find("#play-parameters")
      void this.answer()
    })
    find("[data-play-pin]").addEventListener("click", () => this.pin())
    const results = find("[data-play-results]")
    results.addEventListener("click", ({ target }) => this.unpin(target.dataset.unpin))
    find("[data-play-mark]").addEventListener("change", ({ target: { value } }) => {
      const lastIndex = this.source.drawn.n - 1
      this.setMark(/^\d+$/.test(value.trim()) ? Math.min(Number(value), lastIndex) : null)
    })
    this.shown = find("#play-parameters")
  }

  /** Shows the series, then asks for every answer. */
  async open(keys = this.pins.map((pin) => pin.short)) {
    const { drawn } = this.source
    find("[data-play-why]").textContent = drawn.why ?? ""
    find("#chart-description").textContent = drawn.description
    find("[data-play-link]").textContent = this.source.isOwn ? NO_VALUES : LINK
    if (this.mark !== null && this.mark >= drawn.n) this.mark = null
    await this.chart.show(forChart(drawn)).catch((error) => this.chart.words.complain(error))
    // What the page opens on is answered at once, however long the method takes.
    const press = !this.current && !this.source.isOwn && drawn.n > this.method.most
    await this.answer({ press })
    this.pins = []
    for (const key of keys) this.pins.push(await this.pinned(key))
    this.draw()
  }

  async pinned(key) {
    const body = this.source.addTo(new FormData())
    body.append("key", key)
    const reply = await new Asking().ask(this.root.dataset.answersUrl ?? "", body)
    return { ...NO_ANSWER, key, short: key, title: key, ...reply }
  }

  async answer({ press = false } = {}) {
    const slow = this.source.drawn.n > this.method.most
    this.method.offer(slow)
    const body = this.source.addTo(this.method.fields())
    if (press) body.append("press", "1")
    const answerPart = find("[data-play-answer]")
    if (press) answerPart.textContent = "Computing, up to 20 s …"
    const timer = setTimeout(() => answerPart.classList.add("is-waiting"), 150)
    const reply = await this.asking.ask(this.root.dataset.answersUrl ?? "", body)
    clearTimeout(timer)
    if (!reply) return
    answerPart.classList.remove("is-waiting")
    this.method.refuse(reply.field)
    if (reply.waits) this.method.offer(true)
    if (!reply.key) return void (answerPart.textContent = reply.problem)
    this.current = reply
    const why = reply.said && (reply.reason || reply.flags.join(", "))
    answerPart.textContent = reply.said
      ? `${reply.title}: ${reply.said}${why ? ` (${why})` : ""}`
      : (reply.problem ?? reply.waits)
    this.draw()
  }

  /** Everything that follows from the answers that are there. */
  draw() {
    const { drawn } = this.source
    const { key, title, slot, steady_start: start, evidence } = this.current ?? {}
    const otherPins = this.pins.filter((pin) => pin.key !== key)
    const answers = this.current ? [this.current, ...otherPins] : otherPins
    const lines = linesOf(answers, drawn.truth, this.mark)
    this.chart.setLines(lines)
    this.chart.tint((start ?? -1) >= 0 ? start : null)
    this.evidence.show((evidence ?? []).map((item) => ({ ...item, lines, title, slot })))
    if (this.chart.stage.drawn) this.evidence.draw(this.chart.stage)
    writeRows(find("[data-play-results]"), this.current, this.pins, this.mark ?? drawn.truth)
    find("[data-play-mark]").value = this.mark ?? ""
    const isPinned = this.pins.some((pin) => pin.key === key)
    find("[data-play-pin]").disabled = this.pins.length >= MOST_PINS || !this.current || isPinned
    if (this.current) this.tell(this.current)
  }

  tell(current) {
    const commands = [current.prepare, current.command].filter(Boolean)
    find("[data-play-command]").textContent = commands.join(" && ")
    find("[data-play-key]").textContent = current.key
    const { source: { query }, mark } = this
    const pins = this.pins.map((pin) => pin.short)
    const page = `../${current.key.split("@")[0]}/`
    history.replaceState(null, "", page + queryOf({ query, method: current.short, pins, mark }))
  }

  pin() {
    if (this.current) this.pins.push(this.current)
    this.draw()
  }

  unpin(short) {
    if (!short) return
    this.pins = this.pins.filter((pin) => pin.short !== short)
    this.draw()
    find("[data-play-pin]").focus()
  }

  setMark(index) {
    this.mark = index
    this.draw()
  }
}

const root = globalThis.document?.querySelector("[data-playground]")
if (root) setTimeout(() => new Playground(root, JSON.parse(find("#page-data").textContent)))
