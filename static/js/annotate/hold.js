// A button that goes on while it is held.

const FIRST = 400 // ms until a press is a hold
const EVERY = 60

/** @param {() => void} act once at the press, then again and again */
export function holdable(button, act) {
  /** @type {number | undefined} */
  let timer
  const stop = () => {
    clearTimeout(timer)
    clearInterval(timer)
  }
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return
    act()
    timer = setTimeout(() => (timer = setInterval(act, EVERY)), FIRST)
  })
  for (const name of ["pointerup", "pointerleave", "pointercancel"])
    button.addEventListener(name, stop)
  // A key presses a button without a pointer.
  button.addEventListener("click", (event) => event.detail === 0 && act())
}
