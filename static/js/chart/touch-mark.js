// One finger on a chart that takes marks: places one, then moves it by a pixel of the loupe each.

/** Pixels of a finger for one iteration: as wide as the loupe draws one. */
export const EACH = 8
/** A finger so near to the mark has taken hold of it. */
const GRIP = 44

/** Start of a finger's drag: the mark that it took hold of, else its own place. */
export function gripIndex(index, mark, perPixel) {
  return mark !== null && Math.abs(mark - index) <= GRIP / 2 * perPixel ? mark : index
}

/** The iteration after a finger has moved: from where it began, within the series. */
export const movedIndex = (from, distance, n) =>
  Math.min(Math.max(from + Math.trunc(distance / EACH), 0), n - 1)

/** A short push of the device for each iteration, where it can and motion is wanted. */
export function pulse() {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(10)
}
