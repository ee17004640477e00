// Finds slow requests in a web server's log with one regular expression.

import { dice } from "./dice.mjs"

const LINE = /^(\d+\.\d+\.\d+\.\d+) "(GET|POST) ([^" ]+)" (\d{3}) (\d+)ms$/

export function make({ lines }) {
  const below = dice(3)
  const log = Array.from({ length: lines }, () => {
    const address = `10.0.${below(256)}.${below(256)}`
    const verb = below(4) === 0 ? "POST" : "GET"
    return `${address} "${verb} /page/${below(300)}" ${below(9) ? 200 : 404} ${below(900)}ms`
  })

  return (i) => {
    const slow = new Map()
    for (const line of log) {
      const found = LINE.exec(line)
      if (found === null || Number(found[5]) < 600) continue
      slow.set(found[3], (slow.get(found[3]) ?? 0) + 1)
    }
    return (slow.size + i) % 997
  }
}
