import { html, type Markup, nothing } from '../../markup/markup.ts'
import {
  badge,
  code,
  count,
  dateTime,
  empty,
  facts,
  money,
  type RecordActions,
  recordHeading,
  section,
  table,
} from '../../markup/parts.ts'
import { type RedemptionTotals, sumRedemptions } from '../../store/discounts/redemption-totals.ts'
import type { ReplyOf } from '../kit/call.ts'
import { restNote } from '../kit/next-note.ts'
import { backLink, link, mainLink, otherLink, pager, pick } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { newDiscountPath } from './create.ts'
import { isEndable } from './end.ts'
import { classes } from './form.ts'
import { namesOf, targetIdsOf } from './preview.ts'
import { type Names, stateTone, termsOf } from './terms.ts'

type Discount = ReplyOf<'getDiscount'>
type Redemption = ReplyOf<'listDiscountRedemptions'>['data'][number]

export const discountPage = page({
  path: '/discounts/{id}',
  permission: 'discounts:read',
  show: async (visit, { id }) => {
    const query = pick(visit.query, ['cursor'])
    const [discount, { data, pagination }] = await Promise.all([
      read(visit, 'getDiscount', { params: { id } }),
      read(visit, 'listDiscountRedemptions', { params: { id }, query }),
    ])
    const targets = targetIdsOf(discount)
    const customerIds = [...targets.customerIds, ...data.flatMap(({ customerId }) => customerId ?? [])]
    const [names, totals] = await Promise.all([
      namesOf(visit, { ...targets, customerIds }),
      sumRedemptions(visit.context.database, visit.tenant.merchantId, discount.id),
    ])
    const list = html`${data.length === 0 ? empty('No order has used the discount.') : redemptionTable(visit, data, names)}
${pager(`/discounts/${id}`, query, pagination.cursor)}`
    const main = html`${backLink('/discounts', 'All discounts')}${recordHeading(discount.title, badge(discount.state, stateTone[discount.state]), actions(visit, discount))}
<p><strong>${termsOf(discount, names)}</strong></p>${nextStep(discount)}
${overview(discount, totals)}${targetList(discount, names)}${section('Redemptions', list)}`
    return { title: discount.title, main }
  },
})

function actions(visit: Visit, discount: Discount): RecordActions {
  const { id, status } = discount
  if (!may(visit, 'discounts:write')) return { more: [] }
  if (status === 'archived') return { main: mainLink(newDiscountPath, 'Create a discount'), more: [] }
  const end = isEndable(visit, discount) ? link(`/discounts/${id}/end`, 'End now') : nothing
  const edit = `/discounts/${id}/edit`
  const main =
    noStep[discount.state] === undefined ? mainLink(edit, 'Edit the discount') : otherLink(edit, 'Edit the discount')
  return { main, more: [end, link(`/discounts/${id}/archive`, 'Archive')] }
}

/** The states of a discount that require no action of the shop, each with the reason that the page shows. */
const noStep: Partial<Readonly<Record<Discount['state'], string>>> = {
  active: 'new orders can use the discount.',
  scheduled: 'the discount takes effect at its start time.',
}

function nextStep({ state }: Discount): Markup {
  const reason = noStep[state]
  return reason === undefined ? nothing : restNote(`Nothing to do: ${reason}`)
}

function overview(discount: Discount, totals: RedemptionTotals): Markup {
  const { usageLimit, redemptionCount, combinesWith } = discount
  const { orderCount, reducedKobo, soldKobo } = totals
  const used = usageLimit === null ? count(redemptionCount) : `${count(redemptionCount)} of ${count(usageLimit)}`
  const combined = classes.flatMap(([name, label]) => (combinesWith.includes(name) ? [label] : []))
  const part = redemptionCount > orderCount ? html`<small>of the newest ${count(orderCount)} orders</small>` : nothing
  return facts([
    ['Code', discount.code === null ? 'automatic' : code(discount.code)],
    ['Used', used],
    ...(orderCount === 0
      ? []
      : ([
          ['Reductions', html`${money(reducedKobo)}${part}`],
          ['Total of the orders', html`${money(soldKobo)}${part}`],
        ] as const)),
    ['Starts', dateTime(discount.startsAt)],
    ...(discount.endsAt === null ? [] : [['Ends', dateTime(discount.endsAt)] as const]),
    ...(combined.length === 0 ? [] : [['Can be combined with', combined.join(', ')] as const]),
    ['Id', code(discount.id)],
  ])
}

/**
 * Lists the products, variants and customers to which a discount is limited. A list with a single record is omitted,
 * because the sentence with the terms already names it.
 */
function targetList(discount: Discount, names: Names): Markup {
  const { productIds, variantIds, customerIds } = targetIdsOf(discount)
  const list = (title: string, ids: readonly string[]) =>
    ids.length < 2
      ? nothing
      : html`<details><summary>${title}: ${count(ids.length)}</summary><ul>${ids.map((id) => html`<li>${names.get(id) ?? 'deleted'}</li>`)}</ul></details>`
  return html`${list('Products', productIds)}${list('Variants', variantIds)}${list('Customers', customerIds)}`
}

function redemptionTable(visit: Visit, redemptions: readonly Redemption[], names: Names): Markup {
  const customer = ({ customerId }: Redemption) => {
    const name = customerId === null ? undefined : names.get(customerId)
    if (name === undefined) return 'deleted customer'
    return may(visit, 'customers:read') ? link(`/customers/${customerId}`, name) : name
  }
  return table('Redemptions', redemptions, [
    { title: 'Order', cell: ({ orderId, orderNumber }) => link(`/orders/${orderId}`, orderNumber), phone: 'title' },
    { title: 'Customer', cell: customer, phone: 'detail' },
    {
      title: 'Amount',
      cell: ({ amountKobo, releasedAt }) =>
        html`${money(amountKobo)}${releasedAt === null ? nothing : html`<small>no longer counted</small>`}`,
      isNumber: true,
      phone: 'state',
    },
    { title: 'Time', cell: ({ createdAt }) => dateTime(createdAt), phone: 'detail' },
  ])
}
