// Several tabs of one person: they know of each other, and what one has sent the others hear.

import { newId } from "./ids.js";

export class Tabs {
  #channel
  #me = newId()
  #others = new Set()
  /** @type {(others: number) => void} */
  onOthers = () => undefined
  /** @type {(news: import("./sender.js").News) => void} */
  onNews = () => undefined

  /** @param {(name: string) => BroadcastChannel} [open] */
  constructor(name, open = (name) => new BroadcastChannel(name)) {
    this.#channel = open(name)
    this.#channel.onmessage = ({ data }) => this.#hear(data)
    this.#say({ what: "hello" })
    globalThis.addEventListener?.("pagehide", () => this.#say({ what: "bye" }))
    globalThis.addEventListener?.("pageshow", (event) => event.persisted
      && this.#say({ what: "hello" }))
  }

  tell(news) {
    this.#say({ what: "news", news })
  }

  #hear({ what, from, news }) {
    if (what === "news") return this.onNews(news)
    if (what === "bye") this.#others.delete(from)
    else this.#others.add(from)
    if (what === "hello") this.#say({ what: "here" })
    this.onOthers(this.#others.size)
  }

  #say(message) {
    this.#channel.postMessage({ ...message, from: this.#me })
  }
}
