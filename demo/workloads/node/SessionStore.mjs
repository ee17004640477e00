// Adds sessions to a map under text keys; at a limit, all of them are dropped at once.

export function make({ added, limit }) {
  const sessions = new Map()
  let next = 0

  return () => {
    if (sessions.size >= limit) sessions.clear()
    for (let a = 0; a < added; a++) {
      next += 1
      sessions.set(`session-${next % 1_000_003}`, { user: next % 977, visits: 1 })
    }
    let visits = 0
    for (const session of sessions.values()) visits += session.visits
    return visits
  }
}
