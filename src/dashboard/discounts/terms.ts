import type { DiscountState } from '../../../registry/values/discount-terms.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Markup } from '../kit/markup.ts'
import { money, type Tone } from '../kit/parts.ts'

export const stateTone: Readonly<Record<DiscountState, Tone>> = {
  scheduled: 'waiting',
  active: 'good',
  expired: 'quiet',
  exhausted: 'quiet',
  paused: 'waiting',
  archived: 'quiet',
}

/** The basis points in a percent. */
const bpsPerPercent = 100

/** Shows what a discount takes off. */
export function cutOf({ type, percentageBps, amountKobo }: ReplyOf<'getDiscount'>): Markup | string {
  if (percentageBps !== null) return `${percentageBps / bpsPerPercent} %`
  if (amountKobo !== null) return money(amountKobo)
  return type.replaceAll('_', ' ')
}
