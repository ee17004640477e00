// @ts-check
// "12 done, 28 to go · about 9 min": how far, and how long at the person's own pace.

const FROM = 5 // answers before a pace is named
const OF = 20 // latest answers that make the pace

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Time left at the pace of the latest answers, in words; empty while there are too few, or none is left.
 * @param {number[]} seconds of the person's answers, oldest first
 * @param {number} toGo
 */
export function timeLeft(seconds, toGo) {
  if (seconds.length < FROM || toGo === 0) return ""
  const minutes = Math.max(1, Math.ceil((toGo * median(seconds.slice(-OF))) / 60))
  if (minutes < 120) return `about ${minutes} min`
  const rest = minutes % 60
  return `about ${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ""}`
}

/** @param {number} done @param {number} toGo */
export const counts = (done, toGo) => `${done} done, ${toGo} to go`
