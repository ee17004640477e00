// Joins a sender to its page: where requests are kept, other tabs, when to try again.

import { Sender } from "./sender.js";
import { localStorageOrNull, openStore } from "./stores.js";
import { Tabs } from "./tabs.js";

/**
 * A sender of a person's requests of one box: "annotate", "review".
 * @param {{box: string, who: string, http: {post: Function},
 *   hear: (news: import("./sender.js").News) => void, onOthers?: (others: number) => void}} page
 *   hear: what became of a request, sent from here or from another tab
 */
export async function openSender({ box, who, http, hear, onOthers = () => undefined }) {
  const store = await openStore(globalThis.indexedDB ?? null, localStorageOrNull())
  const tabs = new Tabs(`plateau-${box}-${who}`)
  const tell = (news) => {
    hear(news)
    tabs.tell(news)
  }
  const send = (entry) => http.post(entry.url, entry.body)
  const sender = new Sender({ store, send, box, who, tell, locks: navigator.locks ?? null })
  tabs.onNews = hear
  tabs.onOthers = onOthers
  for (const name of ["online", "focus"]) addEventListener(name, () => void sender.wake())
  return sender
}
