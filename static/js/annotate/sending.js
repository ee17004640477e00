// @ts-check
// Joins the outbox to the page: what was stored, what waits, what was refused, who signed out, other tabs.

import { Outbox } from "./outbox.js";
import { signInSentence } from "./status.js";
import { openStore } from "./store.js";
import { Tabs } from "./tabs.js";
import { localStorageOrNull } from "./drafts.js";

/** @typedef {import("./outbox.js").News} News */

/** @param {any} parts of the page @param {import("./desk.js").Desk} desk @param {any} page */
export async function connectOutbox(parts, desk, page) {
  const { http, status, dialogs } = parts
  const store = await openStore(globalThis.indexedDB ?? null, localStorageOrNull())
  const tabs = new Tabs(page.who)
  const told = (/** @type {News} */ news) => {
    hear(news)
    tabs.tell(news)
  }
  const outbox = new Outbox({
    store, who: page.who, tell: told, locks: navigator.locks ?? null,
    send: (entry) => http.post(/** @type {any} */ (entry).url, entry.body),
  })
  parts.outbox = outbox

  const hear = (/** @type {News} */ { outcome, entry, reply, left }) => {
    if (outcome === "saved") saved(entry, reply, left)
    else if (outcome === "refused") refused(entry, reply, left)
    else if (outcome === "later") status.offline(left, reply.status, outbox.lasting)
    else dialogs.signIn(reply.body?.reason === "other-person" ? reply.body.sentence : signInSentence(left), () => outbox.wake())
  }
  const saved = (/** @type {any} */ entry, /** @type {any} */ reply, /** @type {number} */ left) => {
    dialogs.signedIn()
    desk.stored(entry.position, entry.id, reply.body?.revision ?? 0, reply.body?.feedback)
    status.say(`✓ Saved · ${entry.label}`)
    status.sent(left)
    status.progress(parts.queue, parts.pace)
  }
  const refused = (/** @type {any} */ entry, /** @type {any} */ reply, /** @type {number} */ left) => {
    const sentence = reply.body?.sentence ?? `Series ${entry.position} was not stored (the server answered ${reply.status}).`
    desk.refused(entry, sentence)
    status.sent(left)
    const isNew = reply.body?.reason === "replaced"
    status.notice(sentence, isNew ? "Show the new one" : `Show series ${entry.position}`, () => {
      if (isNew) desk.forget(entry.position)
      void desk.open(entry.position)
    })
  }

  tabs.onNews = hear
  tabs.onOthers = (others) => status.tabs(others ? "Also open in another tab" : "")
  for (const name of ["online", "focus"]) addEventListener(name, () => void outbox.wake())
  addEventListener("beforeunload", (event) => status.waiting > 0 && event.preventDefault())
  await recall(outbox, parts, desk)
}

/** Answers that an earlier visit could not send: their series are done, and they go now. @param {Outbox} outbox @param {any} parts @param {import("./desk.js").Desk} desk */
async function recall(outbox, parts, desk) {
  const waiting = /** @type {any[]} */ (await outbox.waiting())
  const here = waiting.filter((entry) => parts.queue.has(entry.position) && entry.task === desk.address(entry.position))
  for (const entry of here) {
    parts.queue.finish(entry.position)
    desk.answers.recall(entry)
  }
  parts.status.unsent(waiting.length)
  if (waiting.length) void outbox.wake()
}

