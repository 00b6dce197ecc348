import { html, type Markup } from '../../markup/markup.ts'
import { badge, code, count, empty, facts, heading, money, section, table, time } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link, pager, pick } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { read } from '../kit/visit.ts'
import { cutOf, stateTone } from './terms.ts'

/** The page of a discount, with its redemptions. */
export const discountPage = page({
  path: '/discounts/{id}',
  permission: 'discounts:read',
  show: async (visit, { id }) => {
    const query = pick(visit.query, ['cursor'])
    const [discount, redemptions] = await Promise.all([
      read(visit, 'getDiscount', { params: { id } }),
      read(visit, 'listDiscountRedemptions', { params: { id }, query }),
    ])
    const { data, pagination } = redemptions
    const list = html`${data.length === 0 ? empty('No order has used the discount.') : redemptionTable(data)}
${pager(`/discounts/${id}`, query, pagination.cursor)}`
    const main = html`${heading(discount.title, badge(discount.state, stateTone[discount.state]))}
${terms(discount)}${section('Redemptions', list)}`
    return { title: discount.title, main }
  },
})

function terms(discount: ReplyOf<'getDiscount'>): Markup {
  const { maxDiscountKobo, minimumSubtotalKobo, minimumQuantity, usageLimit, usageLimitPerCustomer, appliesTo } =
    discount
  const orNone = (value: number | null, show: (value: number) => Markup | string) =>
    value === null ? 'none' : show(value)
  return facts([
    ['Id', code(discount.id)],
    ['Code', discount.code === null ? 'automatic' : code(discount.code)],
    ['Reduction', cutOf(discount)],
    ['Largest reduction', orNone(maxDiscountKobo, money)],
    ['Applies to', appliesTo.scope === 'order' ? 'the whole order' : `${appliesTo.ids.length} ${appliesTo.scope}`],
    ['Minimum subtotal', orNone(minimumSubtotalKobo, money)],
    ['Minimum quantity', orNone(minimumQuantity, count)],
    ['Used', `${count(discount.redemptionCount)} of ${orNone(usageLimit, count)}`],
    ['Uses per customer', orNone(usageLimitPerCustomer, count)],
    ['Starts', time(discount.startsAt)],
    ['Ends', discount.endsAt === null ? 'never' : time(discount.endsAt)],
  ])
}

function redemptionTable(redemptions: ReplyOf<'listDiscountRedemptions'>['data']): Markup {
  return table('Redemptions', redemptions, [
    { title: 'Order', cell: ({ orderId, orderNumber }) => link(`/orders/${orderId}`, orderNumber) },
    { title: 'Amount', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
    { title: 'Time', cell: ({ createdAt }) => time(createdAt) },
  ])
}
