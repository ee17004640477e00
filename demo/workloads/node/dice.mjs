/** Repeatable numbers: the same in every fork, so that forks do the same work. */
export function dice(seed) {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % bound
  }
}
