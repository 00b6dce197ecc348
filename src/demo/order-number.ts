import { orderNumberOf } from '../base/ids.ts'

/**
 * The number of a demo order, by its place among the merchant's demo orders. No two places have the same number, which
 * random numbers would not promise: of 100,000 drawn at random two are the same in one seeding of seven. `attempt`
 * gives other numbers, for when a real order has one of them.
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

/** Each step can be undone, so different values stay different; together they leave no order to be seen. */
function shuffled(value: bigint): bigint {
  let mixed = value
  for (let round = 0; round < 2; round++) {
    mixed = (mixed * 0x5851f42d5n + 0x14057b7efn) & mask // an odd factor, as a bijection needs; Knuth's digits
    mixed ^= mixed >> 17n
  }
  return mixed
}
