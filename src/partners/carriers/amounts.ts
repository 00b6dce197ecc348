import { z } from 'zod'
import { type Kobo, kobo } from '../../../registry/values/vocabulary.ts'

/** Money at the adapters’ edge: inside there is only kobo. */

const Amount = kobo('What a carrier charges.')

/** Whole kobo, as a number or as a text. */
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
 * Naira with decimals, as a number or as a text. The hundredfold of a decimal with two places is off by far less than
 * half a kobo, so that rounding finds exactly the kobo meant.
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

/** Printed as JSON it has at most two decimals: a quotient is the double that is nearest to it, as its text is. */
export function nairaOf(amountKobo: number): number {
  return amountKobo / 100
}

/** What is left of an amount; undefined where nothing can be. */
export function lessKobo(amountKobo: Kobo, partKobo: Kobo): Kobo | undefined {
  return Amount.safeParse(amountKobo - partKobo).data
}
