import { isDeepStrictEqual } from 'node:util'
import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { Order } from '../../../registry/orders/order.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderUpdate } from '../../../registry/orders/orders.ts'
import type { State } from '../../../registry/values/states.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { listDropoffsOfOrder } from '../../store/logistics/shipments/tracking.ts'
import { lockOrder, writeOrderDetails } from '../../store/orders/order-writes.ts'
import { findOrder } from '../../store/orders/orders.ts'
import { fillAddress } from '../customers/address.ts'
import { changesContent, type EditRefusal, editContent } from './edit-content.ts'
import { haveSameDropoff, isDropoffOf, type Recipient } from './order-dropoff.ts'

export type UpdateOrderOutcome =
  | { readonly is: 'updated'; readonly order: Order }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'not_editable'; readonly status: OrderStatus; readonly reason: DeliveryBlock }
  | EditRefusal

/** Why the customer and the shipping address of an order cannot change. */
export type DeliveryBlock = 'ended' | 'handed_over' | 'in_shipment'

/** Order statuses in which the customer and the shipping address of an order can change. */
const openStatuses: readonly OrderStatus[] = ['pending', 'on_hold', 'processing']

const editableFields = ['note', 'tags', 'metadata', 'customer', 'shippingAddress'] as const

export async function updateOrder(
  work: Work<'order.edited' | OrderMoveEvents | 'inventory.low_stock'>,
  id: OrderId,
  request: OrderUpdate,
): Promise<UpdateOrderOutcome> {
  const { trx, merchantId, now } = work
  const [locked, record, settings] = await Promise.all([
    lockOrder(trx, merchantId, id),
    findOrder(trx, merchantId, id),
    getMerchantSettings(trx, merchantId),
  ])
  if (locked === undefined || record === undefined) return { is: 'order_unknown' }
  work.requireVersion(locked.version)
  const { customer, shippingAddress } = request
  const changesDelivery = customer !== undefined || shippingAddress !== undefined
  const { status } = locked
  const isOpen = openStatuses.includes(status) && locked.fulfilledQuantity === 0
  if (changesDelivery && !isOpen) return { is: 'not_editable', status, reason: blockOfStatus(status) }
  const edited = { ...editedOrder(record, request, settings.defaultState), version: locked.version + 1, updatedAt: now }
  if (changesDelivery && (await contradictsShipment(work, record, edited)))
    return { is: 'not_editable', status, reason: 'in_shipment' }
  const { expectedTotalKobo: expectedKobo } = request
  if (!changesContent(request) && expectedKobo !== undefined && expectedKobo !== record.totalKobo)
    return { is: 'total_differs', expectedKobo, actualKobo: record.totalKobo }
  const content = changesContent(request) ? await editContent(work, { locked, record: edited }, request) : undefined
  if (content !== undefined && content.is !== 'edited') return content
  const order = content?.order ?? edited
  const { version, updatedAt } = record
  if (isDeepStrictEqual({ ...order, version, updatedAt }, record)) return work.abort({ is: 'updated', order: record })
  writeOrderDetails(trx, merchantId, order)
  const stored = (await content?.store()) ?? order
  // The audit log records only the names of the changed fields, because the values may contain personal data.
  for (const field of editableFields) {
    if (!isDeepStrictEqual(order[field], record[field])) work.note({ [field]: ['[redacted]', '[redacted]'] })
  }
  return { is: 'updated', order: stored }
}

function blockOfStatus(status: OrderStatus): DeliveryBlock {
  return status === 'cancelled' || status === 'returned' ? 'ended' : 'handed_over'
}

/**
 * Whether an update gives the order another dropoff than a shipment in progress has. A shipment keeps the dropoff of the
 * time when it was created, so its rider would not learn of the change.
 */
async function contradictsShipment({ trx, merchantId }: Work, before: Order, after: Order): Promise<boolean> {
  const recipient = recipientOf(after)
  if (before.shippingAddress === null || haveSameDropoff(recipientOf(before), recipient)) return false
  const shipments = await listDropoffsOfOrder(trx, merchantId, before.id)
  return shipments.some(({ status, dropoff }) => !isShipmentOver(status) && !isDropoffOf(recipient, dropoff))
}

function recipientOf({ shippingAddress: address, customer }: Order): Recipient {
  return { address, customerName: customer.name, customerPhone: customer.phone, customerEmail: customer.email }
}

function editedOrder(record: Order, request: OrderUpdate, defaultState: State): Order {
  const { note, tags, metadata, customer, shippingAddress } = request
  return {
    ...record,
    note: note === undefined ? record.note : note,
    tags: tags ?? record.tags,
    metadata: metadata ?? record.metadata,
    customer: {
      id: record.customer.id,
      name: customer?.name ?? record.customer.name,
      email: customer?.email ?? record.customer.email,
      phone: customer?.phone === undefined ? record.customer.phone : customer.phone,
    },
    shippingAddress:
      shippingAddress === undefined
        ? record.shippingAddress
        : shippingAddress && fillAddress(shippingAddress, defaultState),
  }
}
