// Decisions on their way: kept and sent by the shared sender while the next case is shown.

import { newId } from "../shared/ids.js";
import { openSender } from "../shared/sending.js";
import { UnsentStrip } from "../shared/unsent-strip.js";

/** What a person typed with a decision is not lost with it. */
function refusal({ label, body }, sentence) {
  const typed = body.find(([name]) => name === "text")?.[1] ?? ""
  return `${label}: ${sentence}${typed && ` You wrote: “${typed}”`}`
}

export class Decisions {
  /** Decisions that the server does not have yet. */
  waiting = 0
  #said
  #strip
  #sender
  /** @type {Map<string, (stored: boolean) => void>} */
  #answered = new Map()

  constructor(sentence, strip = new UnsentStrip("decision")) {
    this.#said = sentence
    this.#strip = strip
  }

  /** Sends what an earlier visit could not. */
  async connect(who, http, open = openSender) {
    this.#sender = await open({ box: "review", who, http, hear: (news) => this.#hear(news) })
    this.waiting = (await this.#sender.waiting()).length
    if (this.waiting) void this.#sender.wake()
  }

  /** Resolves with true when it is stored, with false when it is refused. What is taken back has
   * arrived before: one is sent at a time, in their order. @param {[string, string][]} fields */
  send(url, fields, { name, url: address }) {
    const id = newId()
    const reply = new Promise((resolve) => this.#answered.set(id, resolve))
    this.waiting += 1
    const body = [...fields, ["client_id", id]]
    void this.#sender.add({ id, url, label: name, address, body })
    return reply
  }

  #hear(news) {
    const { outcome, entry, reply, left } = news
    this.waiting = left
    if (outcome === "signed-out") this.#said.signIn()
    if (outcome === "signed-out" || outcome === "later")
      return this.#strip.wait(news, this.#sender.lasting)
    const sentence = this.#strip.through(left)
    if (outcome === "refused")
      this.#said.complain(refusal(entry, reply.body.sentence), entry.address)
    else if (sentence) this.#said.tell(sentence)
    this.#answered.get(entry.id)?.(outcome === "saved")
    this.#answered.delete(entry.id)
  }
}
