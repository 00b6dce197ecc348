import { html, type Markup } from '../../markup/markup.ts'
import { code, count, money, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link } from '../kit/parts.ts'
import { variantName } from '../kit/units.ts'
import { itemPicture } from '../products/pictures.ts'

type Items = ReplyOf<'getOrder'>['items']

interface Progress {
  readonly title: string
  readonly quantityOf: (item: Items[number]) => number
}

const progress: readonly Progress[] = [
  { title: 'Handed over', quantityOf: ({ fulfilledQuantity }) => fulfilledQuantity },
  { title: 'Returned', quantityOf: ({ returnedQuantity }) => returnedQuantity },
  { title: 'Cancelled', quantityOf: ({ cancelledQuantity }) => cancelledQuantity },
  { title: 'Refunded', quantityOf: ({ refundedQuantity }) => refundedQuantity },
]

/** A column whose numbers are all zero is left out. */
export function itemTable(items: Items): Markup {
  const reached = progress.filter(({ quantityOf }) => items.some((item) => quantityOf(item) > 0))
  const hasDiscount = items.some(({ discountKobo }) => discountKobo > 0)
  return table('Items', items, [
    {
      title: 'Item',
      cell: (item) => html`${itemPicture(item.imageUrl)} ${nameOf(item)}<small>${code(item.sku)}</small>`,
      phone: 'title',
    },
    { title: 'Units', cell: ({ quantity }) => count(quantity), isNumber: true, phone: 'labelled' },
    ...reached.map(({ title, quantityOf }) => ({
      ...{ title, isNumber: true, phone: 'labelled' as const },
      cell: (item: Items[number]) => (quantityOf(item) === 0 ? '' : count(quantityOf(item))),
    })),
    { title: 'Price', cell: ({ unitPriceKobo }) => money(unitPriceKobo), isNumber: true, phone: 'labelled' },
    ...(hasDiscount
      ? [
          {
            ...{ title: 'Discount', isNumber: true, phone: 'labelled' as const },
            cell: ({ discountKobo }: Items[number]) => (discountKobo === 0 ? '' : money(discountKobo)),
          },
        ]
      : []),
    { title: 'Total', cell: ({ totalKobo }) => money(totalKobo), isNumber: true, phone: 'state' },
  ])
}

function nameOf(item: Items[number]): Markup | string {
  const title = variantName(item)
  return item.variantId === null ? title : link(`/stock/${item.variantId}`, title)
}

export function unitsWithCustomer({
  fulfilledQuantity,
  returnedQuantity,
}: Pick<Items[number], 'fulfilledQuantity' | 'returnedQuantity'>): number {
  return fulfilledQuantity - returnedQuantity
}
