import { html, type Markup } from '../../markup/markup.ts'
import { code, count, money, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link } from '../kit/parts.ts'

type Items = ReplyOf<'getOrder'>['items']

/** Shows the items of an order with the progress of their units. */
export function itemTable(items: Items): Markup {
  return table('Items', items, [
    { title: 'Item', cell: (item) => html`${nameOf(item)} ${code(item.sku)}` },
    { title: 'Price', cell: ({ unitPriceKobo }) => money(unitPriceKobo), isNumber: true },
    { title: 'Ordered', cell: ({ quantity }) => count(quantity), isNumber: true },
    { title: 'Handed over', cell: ({ fulfilledQuantity }) => count(fulfilledQuantity), isNumber: true },
    { title: 'Returned', cell: ({ returnedQuantity }) => count(returnedQuantity), isNumber: true },
    { title: 'Cancelled', cell: ({ cancelledQuantity }) => count(cancelledQuantity), isNumber: true },
    { title: 'Refunded', cell: ({ refundedQuantity }) => count(refundedQuantity), isNumber: true },
    { title: 'Discount', cell: ({ discountKobo }) => money(discountKobo), isNumber: true },
    { title: 'Total', cell: ({ totalKobo }) => money(totalKobo), isNumber: true },
  ])
}

function nameOf(item: Items[number]): Markup | string {
  const title = titleOf(item)
  return item.variantId === null ? title : link(`/stock/${item.variantId}`, title)
}

export function titleOf({ title, variantTitle }: Items[number]): string {
  return variantTitle === '' ? title : `${title}, ${variantTitle}`
}
