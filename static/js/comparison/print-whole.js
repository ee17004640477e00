// The whole comparison on paper: every fold open, what they load there, every figure drawn.

import { connectFigures, drawFigure, figureIn } from "../figures/page.js";
import { plotter } from "../shared/plotter.js";

const LOOK = 100 // ms between two looks at what is still being loaded
const MOST_LOOKS = 1200 // two minutes: a busy server may take one for a part

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK))

/** Figures without a drawing that have room for one, also in folds that open on paper alone. */
const undrawn = () => [...document.querySelectorAll("[data-plot]")].filter((host) => {
  const figure = figureIn(host)
  return !figure || (!figure.graph && figure.width > 0)
})

/** Opens all folds, waits for their parts and figures, prints, and closes them. */
export async function printWhole() {
  const folds = [...document.querySelectorAll("details.page-fold:not([open])")]
  for (const fold of folds) fold.open = true // as a press does
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    connectFigures()
    await Promise.all(undrawn().map(drawFigure))
    const isDrawn = !plotter.isReady || !undrawn().length // without the library tables stand there
    if (isDrawn && !document.querySelector("[data-pending]")) break
    await pause() // a part that has just come may be swapped once more
  }
  globalThis.print()
  for (const fold of folds) fold.open = false
}
