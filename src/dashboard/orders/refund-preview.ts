import { html, type Markup } from '../../markup/markup.ts'
import { badge, count, facts, money, section, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { variantName } from '../kit/units.ts'
import type { Visit } from '../kit/visit.ts'
import { destinations } from '../refunds/destination.ts'
import { refundTone } from '../refunds/tone.ts'
import { refundForm } from './refund-form.ts'

type Order = ReplyOf<'getOrder'>
type Refund = ReplyOf<'createRefund'>

interface Previewed {
  readonly refund: Refund
  /** The effect of the refund on its units, as a text. */
  readonly units: string
  readonly draft: Draft
  readonly hasManualPayment: boolean
}

/** Shows the refund that the form would create, and the form again, so that one more click creates it. */
export function refundPreview(
  visit: Visit,
  order: Order,
  { refund, units, draft, hasManualPayment }: Previewed,
): Content {
  const { amountKobo, taxKobo, destination, status, items } = refund
  const result = facts([
    ['Amount', money(amountKobo)],
    ['VAT in the amount', money(taxKobo)],
    ['Paid to', destinations[destination]],
    ['Status', badge(status, refundTone[status])],
    ['Refundable afterwards', money(refund.order.refundableKobo)],
  ])
  const note = html`<p role="status">Nothing was refunded yet. Check the result, then choose Refund.</p>`
  const lines = items.length === 0 ? '' : itemTable(order, items)
  return refundForm(visit, order, {
    ...{ draft, hasManualPayment },
    above: section('Preview', html`${note}${result}${lines}<p>${units}</p>`),
  })
}

function itemTable(order: Order, items: Refund['items']): Markup {
  const nameOf = (itemId: string) => {
    const item = order.items.find(({ id }) => id === itemId)
    return item === undefined ? itemId : variantName(item)
  }
  return table('Refunded items', items, [
    { title: 'Item', cell: ({ itemId }) => nameOf(itemId) },
    { title: 'Units', cell: ({ quantity }) => count(quantity), isNumber: true },
    { title: 'Restocked', cell: ({ restock }) => (restock ? 'yes' : 'no') },
    { title: 'Share', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
  ])
}
