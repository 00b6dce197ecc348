import type { Kobo } from '../../registry/values/vocabulary.ts'

/** Money is whole kobo. Products of two amounts pass 2^53, so they are made with BigInt; nothing is ever a float. */

/** The one way from a number to kobo. An unsafe or fractional amount is a bug, so it throws. */
export function toKobo(value: number): Kobo {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number of kobo.`)
  return value as Kobo
}

export const noKobo = toKobo(0)

export function sum(amounts: readonly Kobo[]): Kobo {
  return toKobo(amounts.reduce<number>((total, amount) => total + amount, 0))
}

/** `amount × numerator / denominator`, halves rounded up. */
export function share(amount: Kobo, numerator: number, denominator: number): Kobo {
  const product = BigInt(amount) * BigInt(numerator)
  const divisor = BigInt(denominator)
  return toKobo(Number((product * 2n + divisor) / (divisor * 2n)))
}

/**
 * Splits an amount by weights so that the parts add up to it exactly: each part is rounded down, and what is left
 * goes, one kobo each, to the parts that lost most by it, the earlier one first where they lost the same.
 */
export function allocate(amount: Kobo, weights: readonly number[]): Kobo[] {
  const total = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : noKobo))
  const parts = weights.map((weight, index) => {
    const product = BigInt(amount) * BigInt(weight)
    return { index, whole: product / total, lost: product % total }
  })
  const left = Number(BigInt(amount) - parts.reduce((all, part) => all + part.whole, 0n))
  const favoured = new Set(
    [...parts]
      .sort((a, b) => (a.lost === b.lost ? a.index - b.index : a.lost > b.lost ? -1 : 1))
      .slice(0, left)
      .map((part) => part.index),
  )
  return parts.map((part) => toKobo(Number(part.whole) + (favoured.has(part.index) ? 1 : 0)))
}
