// Joins the sender to the page: answers that were stored, wait, or were refused; signed out.

import { openSender } from "../shared/sending.js";
import { signedOutSentence } from "../shared/unsent-strip.js";

/** Gives the page's parts a `sender`. @param {import("./saving.js").AnswerSaving} saving */
export async function connectSender(parts, saving, page) {
  const { http, status, dialogs } = parts
  const { shown } = saving

  const hear = (news) => {
    const { outcome, entry, reply, left } = news
    if (outcome === "saved") saved(entry, reply, left)
    else if (outcome === "refused") refused(entry, reply, left)
    else if (outcome === "later") status.later(news, parts.sender.lasting)
    else signedOut(reply, left)
  }
  const signedOut = (reply, left) => {
    status.unsent(left)
    dialogs.signIn(signedOutSentence(reply, left), parts.wake)
  }
  const saved = (entry, reply, left) => {
    dialogs.signedIn()
    const { revision = 0, feedback } = reply.body ?? {}
    saving.stored(entry.position, entry.id, revision, feedback)
    status.say(`✓ Saved · ${entry.label}`)
    status.sent(left)
    status.progress(parts.queue, parts.pace)
  }
  const refused = (entry, reply, left) => {
    const { sentence, reason } = reply.body
    saving.refused(entry, sentence)
    status.sent(left)
    const isNew = reason === "replaced"
    status.notice(sentence, isNew ? "Show the new one" : `Show series ${entry.position}`, () => {
      if (isNew) saving.forget(entry.position)
      void shown.open(entry.position)
    })
  }

  const onOthers = (others) => status.tabs(others ? "Also open in another tab" : "")
  parts.sender = await openSender({ box: "annotate", who: page.who, http, hear, onOthers })
  addEventListener("beforeunload", (event) => status.waiting > 0 && event.preventDefault())
  await recall(parts, shown)
}

/** Answers that an earlier visit could not send: their series are done, and they go now. */
async function recall({ sender, queue, status }, shown) {
  const waiting = await sender.waiting()
  const here = waiting.filter(({ position, task }) =>
    queue.has(position) && task === shown.address(position))
  for (const entry of here) {
    queue.finish(entry.position)
    shown.answers.recall(entry)
  }
  status.unsent(waiting.length)
  if (waiting.length) void sender.wake()
}
