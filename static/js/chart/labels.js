// Places of labels of vertical lines: in lanes, no two touching, no stem through a label.

const JOIN = 2
const GAP = 4
const APART = 6
const CLEAR = 10
export const LANES = 6
const BETWEEN = 8
/** Width of "+n" behind a code. */
export const MORE = 24

/**
 * @typedef {{id: string, x: number, width: number, kind?: string}} Label
 * @typedef {{ids: string[], x: number, width: number, side: "left" | "right", left: number, lane:
 *   number}} Placed
 */

/** True for people's label, which is placed first and shared with no method. */
const isFixed = ({ kind = "" }) => kind === "truth" || kind === "yardstick" || kind === "mark"
const mayJoin = (a, b) => a.kind === b.kind && (!isFixed(a) || a.kind === "mark")

/** Lines within two pixels share a label: both codes for two, the first and "+n" from three on. */
function joined(labels) {
  const sorted = [...labels].sort((a, b) => a.x - b.x || (a.id < b.id ? -1 : 1))
  const groups = []
  for (const label of sorted) {
    const last = groups.findLast(([first]) => label.x - first.x <= JOIN && mayJoin(first, label))
    if (last) last.push(label)
    else groups.push([label])
  }
  return groups.map((group) => ({
    ids: group.map((member) => member.id),
    x: group[0].x,
    width: group.length === 2 ? group[0].width + BETWEEN + group[1].width : group[0].width
      + (group.length > 2 ? MORE : 0),
  }))
}

const covers = (label, x) => x > label.left - CLEAR && x < label.left + label.width + CLEAR

const strikes = (x, label) => x > label.left - GAP / 2 && x < label.left + label.width + GAP / 2

const apart = (a, b) => a.left >= b.left + b.width + APART || b.left >= a.left + a.width + APART

/** Right of the line where it fits, not on the stem of a line whose label stands left of it. */
function sided(groups, W) {
  const sides = []
  for (const group of [...groups].reverse()) {
    const right = { ...group, side: "right", left: group.x + GAP, lane: -1 }
    const fits = right.left + group.width <= W
      && !sides.some((other) => other.side === "left" && covers(right, other.x))
    sides.unshift(fits || group.x - GAP - group.width < 0 ? right
      : { ...right, side: "left", left: group.x - GAP - group.width })
  }
  return sides
}

/** Lowest lane that keeps clear of the others, or -1. */
function laneFor(label, placedLabels) {
  const underneath = placedLabels.filter(({ x }) => x !== label.x && covers(label, x))
    .map((placedLabel) => placedLabel.lane)
  const ceiling = Math.min(LANES, ...placedLabels.filter((other) => strikes(label.x, other))
    .map((placedLabel) => placedLabel.lane))
  for (let lane = Math.max(-1, ...underneath) + 1; lane < ceiling; lane++)
    if (placedLabels.every((other) => other.lane !== lane || apart(other, label))) return lane
  return -1
}

/** Lays labels out; where not all have room, those of people keep theirs and methods give way. */
export function layout(labels, W) {
  const fullLayout = laidOut(labels, W)
  const fixed = labels.filter(isFixed)
  const hasAll = (layout) => fixed.every(({ id }) => !layout.rest.includes(id))
  if (hasAll(fullLayout)) return fullLayout
  const keptLabels = [...fixed]
  for (const label of labels.filter((candidate) => !isFixed(candidate)))
    if (hasAll(laidOut([...keptLabels, label], W))) keptLabels.push(label)
  const found = laidOut(keptLabels, W)
  return { ...found, rest: [...found.rest,
    ...labels.filter((candidate) => !keptLabels.includes(candidate)).map(({ id }) => id)] }
}

/** Right-placed labels from right to left, then the others from left to right. */
function laidOut(labels, W) {
  const groups = sided(joined(labels), W)
  const order = [...groups.filter((group) => group.side === "right").reverse(),
    ...groups.filter((group) => group.side === "left")]
  const placed = []
  const rest = []
  for (const label of order) {
    const lane = laneFor(label, placed)
    if (lane < 0) rest.push(...label.ids)
    else placed.push({ ...label, lane })
  }
  return { placed, rest, lanes: Math.max(0, ...placed.map((label) => label.lane + 1)) }
}
