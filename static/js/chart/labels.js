// Where labels of vertical lines stand: in lanes, no two touching, no stem through a label.

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

/** What people said has its label first, and shares it with no method. */
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
    ids: group.map((one) => one.id),
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
  const all = []
  for (const group of [...groups].reverse()) {
    const right = { ...group, side: "right", left: group.x + GAP, lane: -1 }
    const fits = right.left + group.width <= W
      && !all.some((one) => one.side === "left" && covers(right, one.x))
    all.unshift(fits || group.x - GAP - group.width < 0 ? right
      : { ...right, side: "left", left: group.x - GAP - group.width })
  }
  return all
}

/** Lowest lane that keeps clear of the others, or -1. */
function laneFor(label, placed) {
  const under = placed.filter((one) => one.x !== label.x && covers(label, one.x))
    .map((one) => one.lane)
  const ceiling = Math.min(LANES, ...placed.filter((one) => strikes(label.x, one))
    .map((one) => one.lane))
  for (let lane = Math.max(-1, ...under) + 1; lane < ceiling; lane++)
    if (placed.every((one) => one.lane !== lane || apart(one, label))) return lane
  return -1
}

/** Lays labels out; where not all have room, those of people keep theirs and methods give way. */
export function layout(labels, W) {
  const all = laidOut(labels, W)
  const fixed = labels.filter(isFixed)
  const hasAll = (found) => fixed.every(({ id }) => !found.rest.includes(id))
  if (hasAll(all)) return all
  const kept = [...fixed]
  for (const label of labels.filter((one) => !isFixed(one)))
    if (hasAll(laidOut([...kept, label], W))) kept.push(label)
  const found = laidOut(kept, W)
  return { ...found, rest: [...found.rest,
    ...labels.filter((one) => !kept.includes(one)).map(({ id }) => id)] }
}

/** Right-placed labels from right to left, then the others from left to right. */
function laidOut(labels, W) {
  const all = sided(joined(labels), W)
  const order = [...all.filter((one) => one.side === "right").reverse(),
    ...all.filter((one) => one.side === "left")]
  const placed = []
  const rest = []
  for (const label of order) {
    const lane = laneFor(label, placed)
    if (lane < 0) rest.push(...label.ids)
    else placed.push({ ...label, lane })
  }
  return { placed, rest, lanes: Math.max(0, ...placed.map((one) => one.lane + 1)) }
}
