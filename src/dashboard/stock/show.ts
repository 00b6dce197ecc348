import { movementReasons } from '../../../registry/products/inventory.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, dateTime, empty, facts, heading, section, table } from '../../markup/parts.ts'
import { listListedOrders } from '../../store/orders/listed-orders.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, optionsOf, select } from '../kit/form.ts'
import { backLink, link, mainLink, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { stockBadge } from './state.ts'
import { type FoundVariant, findVariant, nameOf } from './variant.ts'

export const variantPage = page({
  path: '/stock/{variantId}',
  permission: 'products:read',
  show: async (visit, { variantId }): Promise<Content> => {
    const found = await findVariant(visit, variantId)
    const { product, variant } = found
    const query = pick(visit.query, ['reason', 'cursor'])
    const called = await visit.call('listInventoryMovements', { params: { id: product.id, variantId }, query })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const draft = filterDraft(query, refusal)
    const path = `/stock/${variantId}`
    const { database } = visit.context
    const { merchantId } = visit.tenant
    const data = called.is === 'refused' ? [] : called.reply.data
    const orders = await listListedOrders(
      database,
      merchantId,
      data.flatMap(({ orderId }) => orderId ?? []),
    )
    const numbers = new Map<string, string>(orders.map(({ id, number }) => [id, number]))
    const list =
      called.is === 'refused' ? empty(called.refusal.message) : movements(called.reply, { path, query, numbers })
    const title = nameOf(found)
    const main = html`${backLink('/stock', 'All stock')}${heading(title, html`${stockBadge(variant.inventory)} ${adjustment(visit, variantId)}`)}
${overview(found)}${section('Movements', html`${filtersOf(path, draft)}${list}`)}`
    return { title, main }
  },
})

function adjustment(visit: Visit, variantId: string): Markup | string {
  return may(visit, 'inventory:write') ? mainLink(`/stock/${variantId}/adjust`, 'Adjust stock') : ''
}

function overview({ product, variant, threshold }: FoundVariant): Markup {
  const { inventory } = variant
  return facts([
    ['SKU', code(variant.sku)],
    ['Variant id', code(variant.id)],
    ['Product', link(`/products/${product.id}`, product.title)],
    ['Product status', badge(product.status, product.status === 'active' ? 'good' : 'quiet')],
    ['Available', count(inventory.available)],
    ['Reserved by orders', count(inventory.reserved)],
    ['On hand', count(inventory.onHand)],
    ['Low-stock threshold', threshold === null ? 'none' : html`${count(threshold)}${sourceOf(product, variant)}`],
    ['Backorders', inventory.allowBackorder ? 'allowed: orders may exceed the stock' : 'not allowed'],
  ])
}

/**
 * States whether a variant takes its low-stock threshold from the product or from the settings. Shows nothing if the
 * variant has a threshold of its own.
 */
function sourceOf({ lowStockThreshold }: FoundVariant['product'], { inventory }: FoundVariant['variant']): Markup {
  if (inventory.lowStockThreshold !== null) return nothing
  return html` <small>${lowStockThreshold === null ? 'from the settings of the shop' : 'from the product'}</small>`
}

function filtersOf(path: string, draft: Draft): Markup {
  const choices = optionsOf(movementReasons, 'All reasons')
  return filterForm(path, draft, select(draft, { name: 'reason', label: 'Reason', choices }))
}

interface Listed {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The order numbers of the orders that caused the listed inventory movements, by order id. */
  readonly numbers: ReadonlyMap<string, string>
}

function movements({ data, pagination }: ReplyOf<'listInventoryMovements'>, { path, query, numbers }: Listed): Markup {
  if (data.length === 0) return empty('No inventory movement matches the filters.')
  const list = table('Movements', data, [
    { title: 'Time', cell: ({ createdAt }) => dateTime(createdAt) },
    { title: 'Reason', cell: ({ reason, note }) => html`${reason.replaceAll('_', ' ')}<small>${note ?? ''}</small>` },
    { title: 'Cause', cell: (movement) => causeOf(movement, numbers) },
    {
      title: 'On hand',
      cell: ({ onHand, onHandDelta }) => `${count(onHand)} (${signed(onHandDelta)})`,
      isNumber: true,
    },
    {
      title: 'Reserved',
      cell: ({ reserved, reservedDelta }) => `${count(reserved)} (${signed(reservedDelta)})`,
      isNumber: true,
    },
  ])
  return html`${list}${pager(path, query, pagination.cursor)}`
}

type Movement = ReplyOf<'listInventoryMovements'>['data'][number]

function causeOf({ orderId, refundId }: Movement, numbers: Listed['numbers']): Markup | string {
  const number = orderId === null ? undefined : numbers.get(orderId)
  if (refundId !== null) return link(`/refunds/${refundId}`, number === undefined ? 'Refund' : `Refund of ${number}`)
  return orderId === null ? '' : link(`/orders/${orderId}`, number ?? 'Order')
}

function signed(delta: number): string {
  return delta > 0 ? `+${count(delta)}` : count(delta)
}
