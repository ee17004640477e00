// "12 done, 28 to go · about 9 min": how far, and how long at the person's own pace.

const FROM = 5 // answers before a pace is named
const OF = 20 // latest answers that make the pace

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Time left in words, from seconds of the latest answers, oldest first; empty for too few. */
export function timeLeft(seconds, toGo) {
  if (seconds.length < FROM || toGo === 0) return ""
  const minutes = Math.max(1, Math.ceil((toGo * median(seconds.slice(-OF))) / 60))
  if (minutes < 120) return `about ${minutes} min`
  const minutesLeft = minutes % 60
  return `about ${Math.floor(minutes / 60)} h${minutesLeft ? ` ${minutesLeft} min` : ""}`
}

export const counts = (doneCount, toGo) => `${doneCount} done, ${toGo} to go`
