import type { Order } from '../../../registry/orders/order.ts'
import type { OrderInput } from '../../../registry/orders/orders.ts'
import type { Kobo, OrderId } from '../../../registry/values/vocabulary.ts'
import { newCustomerId } from '../../base/records.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { type CustomerSnapshot, lockCustomerSnapshot, upsertCustomer } from '../../store/customers/customers.ts'
import { lockDiscountsByCode } from '../../store/discounts/discount-uses.ts'
import { findOrderIdByReference } from '../../store/orders/order-writes.ts'
import { lockVariants } from '../../store/products/variants.ts'
import type { RejectedCode } from '../discounts/discount-choice.ts'
import { type Shortage, takeStock } from '../products/stock.ts'
import { newOrder, storeOrder } from './new-order.ts'
import { type KnownCustomer, type OrderSources, type PricingRefusal, priceOrder } from './price-order.ts'
import { withReceipt } from './receipt.ts'
import { redeemDiscounts } from './redeem-discounts.ts'
import { lockedHistory } from './use-history.ts'

export type CreateOrderOutcome =
  | { readonly is: 'created'; readonly order: Order }
  | { readonly is: 'reference_in_use'; readonly existingId: OrderId }
  | PricingRefusal
  | { readonly is: 'short'; readonly items: readonly Shortage[] }
  | { readonly is: 'code_rejected'; readonly rejected: RejectedCode }
  | { readonly is: 'total_differs'; readonly expectedKobo: Kobo; readonly actualKobo: Kobo }

type OrderWork = Work<'order.created' | 'inventory.low_stock'>

/**
 * Creates an order: prices it from the catalogue, reserves stock, redeems discounts, and finds or creates the customer.
 * Takes two database round trips, and a third when a discount depends on the customer's history.
 */
export async function createOrder(work: OrderWork, request: OrderInput): Promise<CreateOrderOutcome> {
  const [existingId, priced] = await Promise.all([
    request.externalReference === undefined
      ? undefined
      : findOrderIdByReference(work.trx, work.merchantId, request.externalReference),
    priceOrder(request, lockingSources(work, request)),
  ])
  if (existingId !== undefined) return { is: 'reference_in_use', existingId }
  if (priced.is !== 'priced') return priced
  const { totals, lines, shortages, discounts, rejected } = priced.order
  if (shortages.length > 0) return { is: 'short', items: shortages }
  const [firstRejected] = rejected
  if (firstRejected !== undefined) return { is: 'code_rejected', rejected: firstRejected }
  const actualKobo = totals.totalKobo
  const expectedKobo = request.expectedTotalKobo
  if (expectedKobo !== undefined && expectedKobo !== actualKobo) {
    return { is: 'total_differs', expectedKobo, actualKobo }
  }
  const created = newOrder(work, request, priced.order)
  storeOrder(work, created)
  redeemDiscounts(work, created, discounts)
  const reservations = lines.map(({ stock, quantity }) => ({ stock, onHandDelta: 0, reservedDelta: quantity }))
  takeStock(work, reservations, { reason: 'order_reserved', orderId: created.id })
  // No lock may be taken after the receipt of the order is issued. An exchange takes further locks after this function
  // returns, so the code of the exchange issues the receipt.
  const order = request.exchangeOfReturnId === undefined ? await withReceipt(work, created) : created
  work.note({ status: [null, order.status], totalKobo: [null, order.totalKobo] })
  if (discounts.length > 0) work.note({ discountCodes: [null, discounts.map(({ code }) => code)] })
  work.emit('order.created', order.id, { order })
  return { is: 'created', order }
}

/**
 * Returns the functions that read the data for creating an order. Each function locks the records that it reads. The
 * sequence of these locks is the same for all writers: stock, discounts, customer.
 */
function lockingSources(work: OrderWork, request: OrderInput): OrderSources<CustomerSnapshot> {
  const { trx, merchantId, now } = work
  return {
    now,
    settings: () => getMerchantSettings(trx, merchantId),
    customer: () => customerOf(work, request),
    variants: (ids) => lockVariants(trx, { merchantId, ids }),
    discounts: (codes) => lockDiscountsByCode(trx, merchantId, codes),
    history: lockedHistory(work, null),
  }
}

/**
 * Finds or creates the customer of an order. If the customer is anonymised, the order is rejected, because it would
 * store the customer's personal data again.
 */
async function customerOf(work: OrderWork, request: OrderInput): Promise<KnownCustomer<CustomerSnapshot>> {
  const { trx, merchantId, nowMs, now } = work
  if (request.customerId !== undefined) {
    const found = await lockCustomerSnapshot(trx, { merchantId, id: request.customerId })
    if (found === undefined) return { is: 'customer_unknown' }
    const { status, ...customer } = found
    return status === 'anonymised' ? { is: 'customer_anonymised' } : { is: 'customer', customer }
  }
  if (request.customer === undefined) return { is: 'customer_unknown' }
  const { name, email } = request.customer
  const phone = request.customer.phone ?? null
  const { id, status } = await upsertCustomer(trx, { merchantId, id: newCustomerId(nowMs), name, email, phone, now })
  if (status === 'anonymised') return { is: 'customer_anonymised' }
  // The order stores the name, e-mail and phone of the request, even if the customer record differs.
  return { is: 'customer', customer: { id, name, email, phone } }
}
