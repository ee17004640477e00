// Answers requests with JSON from a cache that only grows, as a forgotten limit would have it.

import { dice } from "./dice.mjs"

export function make({ requests, documents }) {
  const cache = new Map()
  const below = dice(1)

  const found = (id) => ({
    id,
    title: `Document ${id}`,
    tags: [`t${id % 7}`, `t${id % 11}`, `t${id % 13}`],
    author: { name: `Person ${id % 400}`, since: 2000 + (id % 25) },
  })

  return (i) => {
    let check = 0
    for (let r = 0; r < requests; r++) {
      const id = below(documents)
      if (!cache.has(id)) cache.set(id, JSON.stringify(found(id)))
      check += JSON.parse(cache.get(id)).author.since
    }
    const text = JSON.stringify([...cache.keys()]) // the monitoring page lists what is cached
    return (check + text.length + i) % 1_000_003
  }
}
