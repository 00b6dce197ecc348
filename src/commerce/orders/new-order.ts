import type { Order } from '../../../registry/orders/order.ts'
import { orderTransitions } from '../../../registry/orders/order-states.ts'
import type { OrderInput } from '../../../registry/orders/orders.ts'
import type { Address, AddressInput } from '../../../registry/values/address.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { newOrderNumber } from '../../base/ids.ts'
import { newOrderId, newOrderItemId } from '../../base/records.ts'
import type { MerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { CustomerSnapshot } from '../../store/customers/customers.ts'
import { insertOrder } from '../../store/orders/order-writes.ts'
import { fillAddress } from '../customers/address.ts'
import { noKobo } from '../money.ts'
import { expiryOf } from './expiry.ts'
import { paymentStatusOf } from './payment-status.ts'
import type { PricedOrder, RequestedLine } from './price-order.ts'
import { orderDiscountsOf } from './redeem-discounts.ts'
import type { LineTotals } from './totals.ts'

export type OrderParts = PricedOrder<CustomerSnapshot>

/**
 * Builds the record of a new order. The response, the event and the rows are derived from this record, so they cannot
 * differ. The order is confirmed at once if its total is zero, or if its payment method is payment on delivery and the
 * merchant confirms such orders automatically.
 */
export function newOrder(work: Pick<Work, 'nowMs' | 'now'>, request: OrderInput, parts: OrderParts): Order {
  const { settings, customer, totals } = parts
  const isFree = totals.totalKobo === 0
  const isTrusted = request.paymentMethod === 'pay_on_delivery' && settings.autoConfirmsPayOnDelivery
  const isConfirmed = isFree || isTrusted
  const status = isConfirmed ? 'processing' : 'pending'
  const confirmedAt: Timestamp | null = isConfirmed ? work.now : null
  const items = itemsOf(work.nowMs, parts)
  return {
    id: newOrderId(work.nowMs),
    number: newOrderNumber(),
    status,
    totalKobo: totals.totalKobo,
    currency: 'NGN',
    createdAt: work.now,
    version: 1,
    paymentStatus: paymentStatusOf({ totalKobo: totals.totalKobo, paidKobo: 0, refundedKobo: 0 }),
    fulfillmentStatus: 'unfulfilled',
    paymentMethod: request.paymentMethod,
    receiptNumber: null,
    customer,
    items,
    subtotalKobo: totals.subtotalKobo,
    discountKobo: totals.discountKobo,
    shippingKobo: totals.shippingKobo,
    taxKobo: totals.taxKobo,
    taxInclusive: settings.isTaxInclusive,
    taxRateBps: settings.isTaxRegistered ? settings.taxRateBps : 0,
    paidKobo: noKobo,
    refundedKobo: noKobo,
    refundPendingKobo: noKobo,
    refundableKobo: noKobo,
    balanceKobo: totals.totalKobo,
    discounts: orderDiscountsOf(parts.discounts, items),
    shippingAddress: addressOf(request.shippingAddress, settings),
    billingAddress: addressOf(request.billingAddress, settings),
    shipments: [],
    note: request.note ?? null,
    customerNote: request.customerNote ?? null,
    tags: request.tags ?? [],
    externalReference: request.externalReference ?? null,
    exchangeOfReturnId: request.exchangeOfReturnId ?? null,
    expiresAt: isConfirmed ? null : expiryOf(work, settings),
    cancelReason: null,
    cancelNote: null,
    source: request.source ?? 'api',
    allowedTransitions: [...orderTransitions[status]],
    confirmedAt,
    paidAt: isFree ? work.now : null,
    shippedAt: null,
    deliveredAt: null,
    cancelledAt: null,
    returnedAt: null,
    updatedAt: work.now,
    metadata: request.metadata ?? {},
  }
}

function addressOf(input: AddressInput | undefined, { defaultState }: MerchantSettings): Address | null {
  return input === undefined ? null : fillAddress(input, defaultState)
}

function itemsOf(nowMs: number, { lines, totals }: OrderParts): Order['items'] {
  return lines.map((line, index) => {
    const amounts = totals.lines[index]
    if (amounts === undefined) throw new Error('The totals must have one entry for each order item.')
    return newItem(nowMs, line, amounts)
  })
}

export function newItem(
  nowMs: number,
  { stock, quantity, unitPriceKobo }: RequestedLine,
  amounts: LineTotals,
): Order['items'][number] {
  return {
    id: newOrderItemId(nowMs),
    productId: stock.productId,
    variantId: stock.variantId,
    sku: stock.sku,
    title: stock.title,
    variantTitle: stock.variantTitle,
    optionValues: stock.optionValues,
    imageUrl: stock.imageUrl,
    quantity,
    fulfilledQuantity: 0,
    returnedQuantity: 0,
    cancelledQuantity: 0,
    refundedQuantity: 0,
    unitPriceKobo,
    compareAtPriceKobo: stock.compareAtPriceKobo,
    ...amounts,
  }
}

export function storeOrder({ trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>, order: Order): void {
  const items = order.items.map((item, position) => ({ ...item, merchantId, orderId: order.id, position }))
  insertOrder(trx, orderRow(merchantId, order), items)
}

function orderRow(merchantId: Work['merchantId'], order: Order) {
  const { customer, items, discounts, shipments, currency, allowedTransitions, ...amounts } = order
  const { paymentStatus, fulfillmentStatus, receiptNumber, refundableKobo, balanceKobo, ...columns } = amounts
  return {
    ...columns,
    merchantId,
    customerId: customer.id,
    customerName: customer.name,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    itemQuantity: items.reduce((count, item) => count + item.quantity, 0),
  }
}
