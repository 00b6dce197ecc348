/** Draws that come out the same for the same seed, so that every rule lives through the same day. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A time whose mean is this, as times between independent events are. */
  exponential(mean: number): number
}

/** Mulberry32: far more than good enough for a queue, and a few lines. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, exponential: (mean) => -mean * Math.log(1 - next()) }
}
