import type { Markup } from '../../../markup/markup.ts'
import { facts, money } from '../../../markup/parts.ts'
import type { ReplyOf } from '../../kit/call.ts'

type Totals = Pick<
  ReplyOf<'previewOrder'>,
  'subtotalKobo' | 'discountKobo' | 'shippingKobo' | 'taxKobo' | 'taxInclusive' | 'totalKobo'
>

/** Amounts of zero are left out, except the total. */
export function totalFacts(totals: Totals, more: readonly (readonly [string, Markup])[] = []): Markup {
  const { subtotalKobo, discountKobo, shippingKobo, taxKobo, taxInclusive, totalKobo } = totals
  const amounts = [
    ['Subtotal', subtotalKobo],
    ['Discounts', discountKobo],
    ['Shipping', shippingKobo],
    [taxInclusive ? 'VAT included' : 'VAT', taxKobo],
  ] as const
  const shown = amounts.filter(([, kobo]) => kobo > 0).map(([name, kobo]) => [name, money(kobo)] as const)
  return facts([...shown, ['Total', money(totalKobo)], ...more])
}
