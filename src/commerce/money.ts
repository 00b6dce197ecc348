import type { Kobo } from '../../registry/values/vocabulary.ts'

/**
 * Amounts of money are whole numbers of kobo. Products of two amounts can exceed 2^53, so they are computed with
 * BigInt; floats are never used.
 */

/**
 * Converts a number to the type of kobo amounts; no other function does this. Throws for an unsafe or fractional
 * number, which is a bug.
 */
export function toKobo(value: number): Kobo {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number of kobo.`)
  return value as Kobo
}

export const noKobo = toKobo(0)

export function sum(amounts: readonly Kobo[]): Kobo {
  return toKobo(amounts.reduce<number>((total, amount) => total + amount, 0))
}

/** Returns `amount × numerator / denominator`, rounded half up. */
export function share(amount: Kobo, numerator: number, denominator: number): Kobo {
  const product = BigInt(amount) * BigInt(numerator)
  const divisor = BigInt(denominator)
  return toKobo(Number((product * 2n + divisor) / (divisor * 2n)))
}

/**
 * Splits an amount by weights so that the parts add up exactly (largest remainder method). Each part is rounded down,
 * and each remaining kobo goes to one of the parts with the largest remainders; the earlier part wins a tie.
 */
export function allocate(amount: Kobo, weights: readonly number[]): Kobo[] {
  const total = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : noKobo))
  const parts = weights.map((weight, index) => {
    const product = BigInt(amount) * BigInt(weight)
    return { index, whole: product / total, remainder: product % total }
  })
  const left = Number(BigInt(amount) - parts.reduce((all, part) => all + part.whole, 0n))
  const favoured = new Set(
    [...parts]
      .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
      .slice(0, left)
      .map((part) => part.index),
  )
  return parts.map((part) => toKobo(Number(part.whole) + (favoured.has(part.index) ? 1 : 0)))
}
