// Parts of a page that htmx puts in anew: each is connected once, when it is there.

/** Connects each element that a selector meets now, and each that htmx puts in later.
 * @param {string} selector @param {(element: any) => unknown} connect what listens to an element
 *   goes with it */
export function connectEach(selector, connect) {
  if (!globalThis.document) return
  const connected = new WeakSet()
  const look = () => {
    const newParts = [...document.querySelectorAll(selector)].filter((part) => !connected.has(part))
    for (const part of newParts) {
      connected.add(part)
      connect(part)
    }
  }
  document.addEventListener("htmx:after:swap", look)
  look()
}
