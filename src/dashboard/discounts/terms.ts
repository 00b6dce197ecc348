import type { DiscountState } from '../../../registry/values/discount-terms.ts'
import type { Markup } from '../../markup/markup.ts'
import { money, type Tone } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'

export const stateTone: Readonly<Record<DiscountState, Tone>> = {
  scheduled: 'waiting',
  active: 'good',
  expired: 'quiet',
  exhausted: 'quiet',
  paused: 'waiting',
  archived: 'quiet',
}

/** Number of basis points in a percent. */
const bpsPerPercent = 100

/** Shows by how much a discount reduces the price. */
export function cutOf({ type, percentageBps, amountKobo }: ReplyOf<'getDiscount'>): Markup | string {
  if (percentageBps !== null) return `${percentageBps / bpsPerPercent} %`
  if (amountKobo !== null) return money(amountKobo)
  return type.replaceAll('_', ' ')
}
