// @ts-check
// Speaking to screen readers: politely, once the keys rest, never more than once a second.

const REST = 250
const APART = 1000

/**
 * A speaker over one live region: the last text wins.
 * @param {{textContent: string | null}} region
 * @param {{now?: () => number, later?: (act: () => void, ms: number) => any, cancel?: (id: any) => void}} [clock]
 */
export function speaker(region, { now = () => performance.now(), later = setTimeout, cancel = clearTimeout } = {}) {
  let spoken = -Infinity
  /** @type {any} */
  let waiting
  return (/** @type {string} */ text) => {
    cancel(waiting)
    waiting = later(() => {
      spoken = now()
      region.textContent = text
    }, Math.max(REST, spoken + APART - now()))
  }
}
