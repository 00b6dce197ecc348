import { orderNumberOf } from '../base/ids.ts'

/**
 * Returns the number of a demo order by its position. Positions have distinct numbers, which random numbers would not
 * guarantee: with 100,000 random ones, one run in seven has a collision. Another `attempt` gives other numbers, used
 * when a real order has one of them.
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

const mask = (1n << 35n) - 1n // seven characters of five bits
const positions = 1n << 33n // leaves two bits for the attempts
const attempts = 4

/** A pseudo-random permutation: every step is invertible, so distinct values stay distinct. */
function shuffled(value: bigint): bigint {
  let mixed = value
  for (let round = 0; round < 2; round++) {
    mixed = (mixed * 0x5851f42d5n + 0x14057b7efn) & mask // an odd factor, as a bijection needs; Knuth's digits
    mixed ^= mixed >> 17n
  }
  return mixed
}
