// The whole comparison on paper: every fold open, what they load there, every figure drawn.

import { connectFigures, drawFigure } from "../figures/page.js";

const LOOK = 100 // ms between two looks at what is still being loaded
const MOST_LOOKS = 300

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK))

/** Opens all folds, waits for their parts and figures, prints, and closes them. */
export async function printWhole() {
  const folds = [...document.querySelectorAll("details.page-fold:not([open])")]
  for (const fold of folds) fold.open = true // as a press does; inner folds open on paper alone
  for (let look = 0; document.querySelector("[data-pending]") && look < MOST_LOOKS; look += 1)
    await pause()
  connectFigures()
  await Promise.all([...document.querySelectorAll("[data-plot]")].map(drawFigure))
  globalThis.print()
  for (const fold of folds) fold.open = false
}
