// Values of the playground: a stored series, an example by its sliders, a file or pasted text.

import { html } from "../shared/elements.js";
import { rested } from "../shared/waiting.js";
import { Asking } from "./asking.js";
import { decoded } from "./codec.js";
import { connectSliders } from "./sliders.js";

const REST = 150 // ms after the last move of a slider
const LARGER = "Import larger files into a study."
const find = (root, name) => root.querySelector(name)

export class Source {
  /** @param {() => void} onChange a series is there */
  constructor(root, values, query, onChange) {
    this.root = root
    this.drawn = values
    this.query = query
    this.onChange = onChange
    this.asking = new Asking()
    this.read = []
    this.example = find(root, "[data-play-example]")
    connectSliders(this.example, rested(() => void this.simulate(), REST))
    this.example.addEventListener("submit", (event) => event.preventDefault())
    this.connectOwn(find(root, "[data-play-own]"))
    this.forks.addEventListener("change", () => this.take(this.read[Number(this.forks.value)], []))
  }

  get forks() {
    return find(this.root, "#play-fork")
  }

  async simulate() {
    const exampleQuery = new URLSearchParams(/** @type {any} */ (new FormData(this.example)))
    const { exampleUrl } = find(document.body, "[data-playground]").dataset
    const reply = await this.asking.ask(`${exampleUrl}?${exampleQuery}`)
    if (!reply) return
    if (reply.problem) return this.complain(reply.problem)
    this.offer([])
    this.take(reply, reply.query)
  }

  connectOwn(part) {
    const file = find(part, "[data-play-file]")
    const text = find(part, "textarea")
    find(part, "form").addEventListener("submit", (event) => {
      event.preventDefault()
      void this.send("text", text.value)
    })
    file.addEventListener("change", () => file.files?.[0] && void this.send("file", file.files[0]))
    // Anywhere on the page: who drops a file here means it.
    for (const kind of ["dragover", "dragleave", "drop"])
      document.addEventListener(kind, (event) => this.onDrag(event, text))
  }

  onDrag(event, area) {
    if (!event.dataTransfer?.types.includes("Files")) return
    event.preventDefault()
    area.toggleAttribute("data-over", event.type === "dragover")
    const dropped = event.type === "drop" ? event.dataTransfer.files[0] : null
    if (dropped) void this.send("file", dropped)
  }

  async send(/** @type {"text" | "file"} */ field, content) {
    const size = field === "text" ? content.length : content.size
    const { mostBytes, valuesUrl } = find(document.body, "[data-playground]").dataset
    const [megabytes, mostMegabytes] = [(size / 1e6).toFixed(1), mostBytes / 1e6]
    if (size > mostBytes)
      return this.complain(`Found ${megabytes} MB, expected at most ${mostMegabytes} MB. ${LARGER}`)
    const body = new FormData()
    body.append(field, content)
    body.append("unit", find(this.root, "#play-unit").value)
    const reply = await this.asking.ask(valuesUrl, body)
    if (!reply) return
    this.complain(reply.problem ?? "")
    if (!reply.series?.length) return
    this.offer(reply.series)
    this.take(reply.series[0], [])
  }

  /** Offers the series of a file, where there are several. */
  offer(series) {
    this.read = series
    this.forks.replaceChildren(...series.map((fork, index) =>
      html("option", { value: index }, `${fork.label} (${fork.n})`)))
    find(this.root, "[data-play-forks]").hidden = series.length < 2
  }

  take(values, query) {
    this.complain("")
    this.drawn = values
    this.query = query
    find(this.root, "[data-play-label]").textContent = values.label
    this.onChange()
  }

  complain(problem) {
    const place = find(this.root, "[data-play-problem]")
    place.textContent = problem
    place.hidden = !problem
    if (problem) find(this.root, "[data-play-own]").open = true
  }

  /** True if the values are only in this tab. */
  get isOwn() {
    return this.query.length === 0
  }

  /** Adds to a question what it is asked of. */
  addTo(body) {
    if (!this.isOwn) for (const [name, value] of this.query) body.append(name, value)
    else {
      body.append("values", new Blob([decoded(this.drawn.values, 8)]), "values")
      body.append("about", JSON.stringify(this.drawn.about ?? {}))
    }
    return body
  }
}
