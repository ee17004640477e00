// Effects of a click, a drag and a finger on marks, with one mark asked or all changes.

/** A gesture that has ended; the other phases only show where the mark would be. */
const isAnswer = (phase) => phase === "click" || phase === "drop"
const NEAR = 6 // pixels from a mark that are a click on it

/** Picks one mark: a drag moves it on the screen, letting go makes it the answer. */
export const pickOne = ({ place, preview }) => (index, phase) =>
  isAnswer(phase) ? place(index) : preview(index, [])

/** Where all changes are asked: a click adds one, or takes one away. A drag that begins at the
 * last one moves it, another one adds.
 * @param {{shown: any, chart: any, steps: any, preview: Function}} parts */
export function pickMany({ shown, chart, steps, preview }) {
  /** @type {"" | "last" | "new"} what the gesture moves */
  let moving = ""
  let begin = 0
  /** True if the pointer went away from its first place: then it is no tap, wherever it ends. */
  let hasLeft = false
  const reachIterations = () => {
    const [from, to] = chart.stage.window
    return Math.max(NEAR * (to - from) / chart.stage.plot.width, 0.5)
  }
  const changeNear = (index) => {
    const most = reachIterations()
    const apart = (position) => Math.abs(position - index)
    const close = (shown.state.answer.changes ?? []).filter((position) => apart(position) <= most)
    return close.sort((a, b) => apart(a) - apart(b))[0]
  }
  const drag = (index, phase) => {
    const { index: lastIndex, changes } = shown.state.answer
    if (phase === "back") moving = ""
    else if (phase === "grip" || !moving) {
      moving = index === lastIndex ? "last" : "new"
      begin = index
      hasLeft = false
    }
    hasLeft ||= Math.abs(index - begin) > reachIterations()
    const isKept = (position) => position !== lastIndex || (moving === "new" && phase !== "back")
    preview(index, (changes ?? []).filter(isKept))
  }
  return (index, phase) => {
    if (!isAnswer(phase)) return drag(index, phase)
    const { index: lastIndex } = shown.state.answer
    const isDragged = phase === "drop" && hasLeft
    const isMoved = phase === "drop" && moving === "last" && (isDragged || index !== lastIndex)
    moving = ""
    const takenIndex = isDragged ? undefined : changeNear(index)
    shown.change((state) => (isMoved ? steps.place(state, index)
      : takenIndex === undefined ? steps.add(state, index) : steps.remove(state, takenIndex)))
    shown.render()
  }
}
