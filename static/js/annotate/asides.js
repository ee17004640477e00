// Skips and readings of the guide: sent by the one sender, in a box of their own, so that only
// answers are counted as not yet sent.

import { newId } from "../shared/ids.js";
import { openSender } from "../shared/sending.js";
import { signedOutSentence } from "../shared/unsent-strip.js";

/** Gives the page its `asides`; series that an earlier visit skipped are skipped here, too. */
export async function connectAsides(parts, { who }, open = openSender) {
  const { dialogs, http, queue, status } = parts
  const hear = ({ outcome, reply }) => {
    if (outcome === "refused") status.notice(reply.body.sentence)
    else if (outcome === "signed-out")
      dialogs.signIn(signedOutSentence(reply, status.waiting), parts.wake)
  }
  const sender = await open({ box: "annotate-asides", who, http, hear })
  const send = (url, body, fields) => sender.add({ id: newId(), url, body, ...fields })
  parts.asides = { send, wake: () => void sender.wake() }
  const waitingEntries = await sender.waiting()
  for (const { url, position } of waitingEntries)
    if (url === parts.skipUrl(position)) queue.skip(position)
  if (waitingEntries.length) void sender.wake()
}
