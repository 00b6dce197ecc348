import { z } from 'zod'
import { type Kobo, kobo } from '../../../registry/values/vocabulary.ts'

/** Converts amounts of carriers to kobo. All other code uses only kobo. */

const Amount = kobo('Amount that a carrier charges.')

export const KoboAmount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(Amount)

const nairaText = /^(\d{1,12}|\d{1,3}(,\d{3}){1,3})(\.\d{1,10})?$/

/**
 * An amount in naira with decimals, as a number or a string. Multiplying it by 100 causes a floating-point error of far
 * less than half a kobo, so rounding the product returns the exact amount.
 */
export const NairaAmount = z
  .union([
    z.number(),
    z
      .string()
      .trim()
      .regex(nairaText)
      .transform((text) => Number(text.replaceAll(',', ''))),
  ])
  .transform((naira) => Math.round(naira * 100))
  .pipe(Amount)

/**
 * Converts kobo to naira. The quotient has at most two decimals when printed, because JavaScript prints the shortest
 * decimal that identifies the double.
 */
export function nairaOf(amountKobo: number): number {
  return amountKobo / 100
}

/** Returns undefined for a negative result. */
export function lessKobo(amountKobo: Kobo, partKobo: Kobo): Kobo | undefined {
  return Amount.safeParse(amountKobo - partKobo).data
}
