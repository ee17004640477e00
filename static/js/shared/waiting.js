// Waiting has names.

/** Calls `act` once in the next frame, however often it is asked for. */
export function nextFrame(act) {
  let requestCount = 0
  return () => {
    requestCount ||= requestAnimationFrame(() => {
      requestCount = 0
      act()
    })
  }
}

/** Calls `act` once nothing has been asked for `ms` milliseconds. */
export function rested(act, ms) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(act, ms)
  }
}

/** Resolves when the browser has nothing else to do, or after `ms` milliseconds. */
export const whenIdle = (ms) => new Promise((resolve) => ("requestIdleCallback" in globalThis
    ? requestIdleCallback(resolve, { timeout: ms }) : setTimeout(resolve, 50)))
