// Speaking to screen readers: politely, once the keys rest, never more than once a second.

const REST = 250
const APART = 1000

const browserClock = { now: () => performance.now(), later: setTimeout, cancel: clearTimeout }

/** Speaks in one live region: the last text wins. @param {{textContent: string}} region */
export function announcer(region, { now, later, cancel } = browserClock) {
  let spoken = -Infinity
  let timer
  return (text) => {
    cancel(timer)
    timer = later(() => {
      spoken = now()
      region.textContent = text
    }, Math.max(REST, spoken + APART - now()))
  }
}
