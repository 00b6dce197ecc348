import type { Markup } from '../../markup/markup.ts'
import { badge } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'

type Inventory = ReplyOf<'getProduct'>['variants'][number]['inventory']

export function stockBadge({ tracked, available, allowBackorder, low }: Inventory): Markup {
  if (!tracked) return badge('not tracked', 'quiet')
  if (available <= 0) return badge(allowBackorder ? 'backorder' : 'sold out', allowBackorder ? 'waiting' : 'bad')
  return low ? badge('low', 'waiting') : badge('in stock', 'good')
}
