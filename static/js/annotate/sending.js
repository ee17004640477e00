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
  const signedOut = (reply, waitingCount) => {
    status.unsent(waitingCount)
    dialogs.signIn(signedOutSentence(reply, waitingCount), parts.wake)
  }
  const saved = (entry, reply, waitingCount) => {
    dialogs.signedIn()
    const { revision = 0, feedback } = reply.body ?? {}
    saving.stored(entry.position, entry.id, revision, feedback)
    status.say(`✓ Saved · ${entry.label}`)
    status.sent(waitingCount)
    status.progress(parts.queue, parts.pace)
  }
  const refused = (entry, reply, waitingCount) => {
    const { sentence, reason } = reply.body
    saving.refused(entry, sentence)
    status.sent(waitingCount)
    const isNew = reason === "replaced"
    status.notice(sentence, isNew ? "Show the new one" : `Show series ${entry.position}`, () => {
      if (isNew) saving.forget(entry.position)
      void shown.open(entry.position)
    })
  }

  const onOthers = (otherTabs) => status.tabs(otherTabs ? "Also open in another tab" : "")
  parts.sender = await openSender({ box: "annotate", who: page.who, http, hear, onOthers })
  addEventListener("beforeunload", (event) => status.waiting > 0 && event.preventDefault())
  await recall(parts, shown)
}

/** Answers that an earlier visit could not send: their series are done, and they go now. */
async function recall({ sender, queue, status }, shown) {
  const waitingEntries = await sender.waiting()
  const ownEntries = waitingEntries.filter(({ position, task }) =>
    queue.has(position) && task === shown.address(position))
  for (const entry of ownEntries) {
    queue.finish(entry.position)
    shown.answers.recall(entry)
  }
  status.unsent(waitingEntries.length)
  if (waitingEntries.length) void sender.wake()
}
