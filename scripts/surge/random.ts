/**
 * A seeded random number generator. The same seed gives the same numbers, so every pricing rule is simulated on the
 * same day.
 */
export interface Random {
  /** Returns a random number from 0 to below 1. */
  next(): number
  /** Returns an exponentially distributed number with the given mean, such as the time between independent events. */
  exponential(mean: number): number
}

/** Returns a Mulberry32 generator, whose code is short and which is random enough to simulate a queue of orders. */
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
