import { amountMaxKobo } from '../../registry/limits.ts'
import type { Order } from '../../registry/order.ts'
import type { OrderInput } from '../../registry/orders.ts'
import type { Kobo, OrderId, VariantId } from '../../registry/vocabulary.ts'
import { newCustomerId } from '../records.ts'
import { type CustomerSnapshot, lockCustomerSnapshot, upsertCustomer } from '../store/customers.ts'
import { getMerchantSettings, type MerchantSettings } from '../store/merchants.ts'
import type { Work } from '../store/mutation.ts'
import { findOrderIdByReference } from '../store/order-writes.ts'
import { lockVariants, type SellableVariant } from '../store/variants.ts'
import { noKobo, toKobo } from './money.ts'
import { newOrder, storeOrder, type WantedLine } from './new-order.ts'
import { moveStock, type Shortage, shortagesOf } from './stock.ts'
import { type TaxRule, totalsOf } from './totals.ts'

export type CreateOrderOutcome =
  | { readonly is: 'created'; readonly order: Order }
  | { readonly is: 'customer_unknown' }
  | { readonly is: 'customer_anonymised' }
  | { readonly is: 'reference_in_use'; readonly existingId: OrderId }
  | { readonly is: 'variants_unknown'; readonly variantIds: readonly VariantId[] }
  | { readonly is: 'not_available'; readonly variantIds: readonly VariantId[] }
  | { readonly is: 'short'; readonly items: readonly Shortage[] }
  | { readonly is: 'too_large' }
  | { readonly is: 'total_differs'; readonly expectedKobo: Kobo; readonly actualKobo: Kobo }

type OrderWork = Work<'order.created' | 'inventory.low_stock'>

/** Creates an order: prices from the catalogue, stock promised to it, the customer found or made. */
export async function createOrder(work: OrderWork, request: OrderInput): Promise<CreateOrderOutcome> {
  const { trx, merchantId } = work
  const [settings, existingId, known, variants] = await Promise.all([
    getMerchantSettings(trx, merchantId),
    request.externalReference === undefined
      ? undefined
      : findOrderIdByReference(trx, merchantId, request.externalReference),
    customerOf(work, request),
    lockVariants(
      trx,
      merchantId,
      request.items.map((item) => item.variantId),
    ),
  ])
  if (existingId !== undefined) return { is: 'reference_in_use', existingId }
  if (known.is !== 'customer') return known
  const judged = judgeLines(request, variants)
  if (judged.is !== 'fine') return judged
  const shippingKobo = toKobo(request.shippingKobo ?? noKobo)
  if (isTooLarge(judged.lines, shippingKobo)) return { is: 'too_large' }
  const priced = judged.lines.map(({ stock, quantity }) => ({
    quantity,
    unitPriceKobo: stock.priceKobo,
    isTaxExempt: stock.isTaxExempt,
  }))
  const totals = totalsOf(priced, shippingKobo, taxRuleOf(settings))
  const actualKobo = totals.totalKobo
  if (actualKobo > amountMaxKobo) return { is: 'too_large' }
  const expectedKobo = request.expectedTotalKobo
  if (expectedKobo !== undefined && expectedKobo !== actualKobo) {
    return { is: 'total_differs', expectedKobo, actualKobo }
  }
  const order = newOrder(work, request, {
    settings,
    customer: known.customer,
    lines: judged.lines,
    totals,
  })
  storeOrder(work, order)
  const taken = judged.lines.map(({ stock, quantity }) => ({ stock, onHandDelta: 0, reservedDelta: quantity }))
  moveStock(work, taken, { reason: 'order_reserved', orderId: order.id })
  work.note({ status: [null, order.status], totalKobo: [null, order.totalKobo] })
  work.emit('order.created', order.id, { order })
  return { is: 'created', order }
}

type KnownCustomer =
  | { readonly is: 'customer'; readonly customer: CustomerSnapshot }
  | Extract<CreateOrderOutcome, { is: 'customer_unknown' | 'customer_anonymised' }>

/** An order for somebody who was erased would bring them back, and be erased by nobody. */
async function customerOf(work: OrderWork, request: OrderInput): Promise<KnownCustomer> {
  const { trx, merchantId, nowMs, now } = work
  if (request.customerId !== undefined) {
    const found = await lockCustomerSnapshot(trx, merchantId, request.customerId)
    if (found === undefined) return { is: 'customer_unknown' }
    const { status, ...customer } = found
    return status === 'anonymised' ? { is: 'customer_anonymised' } : { is: 'customer', customer }
  }
  if (request.customer === undefined) return { is: 'customer_unknown' }
  const { name, email } = request.customer
  const phone = request.customer.phone ?? null
  const { id, status } = await upsertCustomer(trx, { merchantId, id: newCustomerId(nowMs), name, email, phone, now })
  if (status === 'anonymised') return { is: 'customer_anonymised' }
  // The order keeps what was sent with it, whatever the customer's record says.
  return { is: 'customer', customer: { id, name, email, phone } }
}

function judgeLines(
  request: OrderInput,
  variants: readonly SellableVariant[],
):
  | { readonly is: 'fine'; readonly lines: readonly WantedLine[] }
  | Extract<CreateOrderOutcome, { is: 'variants_unknown' | 'not_available' | 'short' }> {
  const byId = new Map(variants.map((variant) => [variant.variantId, variant]))
  const unknown = request.items.filter((item) => !byId.has(item.variantId))
  if (unknown.length > 0) return { is: 'variants_unknown', variantIds: unknown.map((item) => item.variantId) }
  const lines = request.items.flatMap((item) => {
    const stock = byId.get(item.variantId)
    return stock === undefined ? [] : [{ stock, quantity: item.quantity }]
  })
  const unavailable = lines.filter(({ stock }) => !stock.isSellable)
  if (unavailable.length > 0)
    return { is: 'not_available', variantIds: unavailable.map(({ stock }) => stock.variantId) }
  const items = shortagesOf(lines)
  return items.length > 0 ? { is: 'short', items } : { is: 'fine', lines }
}

/** Judged with BigInt before any sum is made: a hundred lines of a thousand pieces could pass 2^53. */
function isTooLarge(lines: readonly WantedLine[], shippingKobo: Kobo): boolean {
  const gross = lines.reduce(
    (total, { stock, quantity }) => total + BigInt(stock.priceKobo) * BigInt(quantity),
    BigInt(shippingKobo),
  )
  return gross > BigInt(amountMaxKobo)
}

function taxRuleOf(settings: MerchantSettings): TaxRule {
  return { rateBps: settings.isTaxRegistered ? settings.taxRateBps : 0, isInclusive: settings.isTaxInclusive }
}
