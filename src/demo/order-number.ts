import { orderNumberOf } from '../base/ids.ts'

/**
 * Returns the number of a demo order by its position. Each position has a distinct number. Random numbers would not
 * guarantee this: with 100,000 random numbers, one run in seven has a collision. Another `attempt` gives other numbers,
 * for the case that a real order already has one of them.
 */
export function demoOrderNumber(position: number, attempt: number): string {
  let value = shuffled(BigInt(position) + BigInt(attempt % attempts) * positions)
  const values: number[] = []
  for (let index = 0; index < 7; index++) {
    values.unshift(Number(value & 31n))
    value >>= 5n
  }
  return orderNumberOf(values)
}

const mask = (1n << 35n) - 1n // Bit mask of an order number, which has seven characters of five bits.
const positions = 1n << 33n // Number of possible positions of a demo order, which take 33 of the 35 bits of an order number. The other two bits count the attempts to generate a number for a position.
const attempts = 4

/** A pseudo-random permutation: every step is invertible, so distinct numbers stay distinct. */
function shuffled(value: bigint): bigint {
  let mixed = value
  for (let round = 0; round < 2; round++) {
    // The factor is from Knuth. It must be odd, because a multiplication modulo a power of two is invertible only with
    // an odd factor.
    mixed = (mixed * 0x5851f42d5n + 0x14057b7efn) & mask
    mixed ^= mixed >> 17n
  }
  return mixed
}
