// While one series is read, the next ones are fetched, and the very next is drawn hidden.

import { forChart } from "./series.js";

const FETCHED = 3 // whose values are here before they are asked for

/** Keeps those `near`, too; `isHere` says whether the person is still there. */
export async function prepareNext({ queue, ahead, chart, prefetch }, here, near, isHere) {
  const following = queue.ahead(here)
  ahead.prepare(following, [here, ...near])
  for (const position of following.slice(1, FETCHED))
    ahead.get(position).then((task) => prefetch(forChart(task)), () => undefined)
  if (!following.length) return
  try {
    const next = await ahead.get(following[0])
    if (isHere()) await chart.prepare(forChart(next))
  } catch {
    // Nothing is wrong yet: it is said if the person gets there before the network does.
  }
}
