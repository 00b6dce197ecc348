import { buyerLinksOf } from '../../buyer/link.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, empty, section, table } from '../../markup/parts.ts'
import { type ListedOrderToShip, listOrdersToShip } from '../../store/orders/order-parcels.ts'
import type { ReplyOf } from '../kit/call.ts'
import { shareLink } from '../kit/share-link.ts'
import { may, read, type Visit } from '../kit/visit.ts'

type Shipment = ReplyOf<'getShipment'>

/**
 * The order whose units a shipment carries, or the number of the order whose returned units the shipment brings back.
 */
export interface ShippedRecord {
  readonly order: ListedOrderToShip | undefined
  readonly returnOf: string | undefined
}

export async function shippedRecordOf(visit: Visit, { orderId, returnId }: Shipment): Promise<ShippedRecord> {
  if (!may(visit, 'orders:read')) return { order: undefined, returnOf: undefined }
  const [[order], returned] = await Promise.all([
    listOrdersToShip(visit.context.database, visit.tenant.merchantId, orderId === null ? [] : [orderId]),
    returnId === null ? undefined : read(visit, 'getReturn', { params: { id: returnId } }),
  ])
  return { order, returnOf: returned?.orderNumber }
}

/** A shipment without order items shows its parcels. */
export function contentsSection({ items, parcels }: Shipment, { order }: ShippedRecord): Markup {
  const rows = items.map(({ itemId, quantity }) => {
    const { sku, title = '' } = order?.variants[itemId] ?? {}
    const name = order?.lines.find((line) => line.itemId === itemId)?.title ?? itemId
    return { name: title === '' ? name : `${name}, ${title}`, sku, quantity }
  })
  const shown =
    rows.length > 0
      ? rows
      : parcels.map(({ description, quantity }) => ({ name: description, sku: undefined, quantity }))
  if (shown.length === 0) return anchored(empty('The shipment has no items.'))
  const list = table('Items', shown, [
    { title: 'Item', cell: ({ name }) => name, phone: 'title' },
    { title: 'SKU', cell: ({ sku }) => (sku === undefined ? nothing : code(sku)), phone: 'detail' },
    { title: 'Quantity', cell: ({ quantity }) => count(quantity), isNumber: true, phone: 'state' },
  ])
  return anchored(list)
}

export const itemsAnchor = 'items'

/** The text about the next step of the shipment can link to the anchor of the item list. */
function anchored(list: Markup): Markup {
  return html`<div id="${itemsAnchor}">${section('Items', list)}</div>`
}

export function trackingLinkSection({ service, origin, tenant, nowMs }: Visit, { order }: ShippedRecord): Markup {
  if (order === undefined) return nothing
  const { id: orderId, number, customerPhone: phone } = order
  const signing = { origin, keys: service.buyerLinkKeys }
  const linked = { merchantId: tenant.merchantId, orderId, receiptNumber: null }
  const { trackingUrl } = buyerLinksOf(signing, linked, nowMs)
  return section(
    'Tracking link for the buyer',
    shareLink({ url: trackingUrl, text: `Track your order ${number}`, phone }),
  )
}
