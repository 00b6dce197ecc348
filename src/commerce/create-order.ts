import { amountMaxKobo } from '../../registry/limits.ts'
import type { Order } from '../../registry/order.ts'
import type { OrderInput } from '../../registry/orders.ts'
import type { Kobo, OrderId, VariantId } from '../../registry/vocabulary.ts'
import { newCustomerId } from '../records.ts'
import { type CustomerSnapshot, findCustomer, upsertCustomer } from '../store/customers.ts'
import { getMerchantSettings, type MerchantSettings } from '../store/merchants.ts'
import type { Work } from '../store/mutation.ts'
import { findOrderIdByReference } from '../store/order-writes.ts'
import { lockVariants, reserveStock, type SellableVariant } from '../store/variants.ts'
import { noKobo, toKobo } from './money.ts'
import { newOrder, storeOrder } from './new-order.ts'
import { availableOf, reservationOf, type Shortage, shortagesOf, type WantedLine } from './stock.ts'
import { type TaxRule, totalsOf } from './totals.ts'

export type CreateOrderOutcome =
  | { readonly is: 'created'; readonly order: Order }
  | { readonly is: 'customer_unknown' }
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
  const [settings, existingId, customer, variants] = await Promise.all([
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
  if (customer === undefined) return { is: 'customer_unknown' }
  const judged = judgeLines(request, variants)
  if (judged.is !== 'fine') return judged
  const shippingKobo = toKobo(request.shippingKobo ?? noKobo)
  if (isTooLarge(judged.lines, shippingKobo)) return { is: 'too_large' }
  const priced = judged.lines.map(({ variant, quantity }) => ({
    quantity,
    unitPriceKobo: variant.priceKobo,
    isTaxExempt: variant.isTaxExempt,
  }))
  const totals = totalsOf({ lines: priced, shippingKobo, tax: taxRuleOf(settings) })
  const actualKobo = totals.totalKobo
  if (actualKobo > amountMaxKobo) return { is: 'too_large' }
  const expectedKobo = request.expectedTotalKobo
  if (expectedKobo !== undefined && expectedKobo !== actualKobo) {
    return { is: 'total_differs', expectedKobo, actualKobo }
  }
  const order = newOrder(work, request, { settings, customer, lines: judged.lines, totals })
  storeOrder(work, order)
  takeStock(work, order.id, judged.lines, settings)
  work.note({ status: [null, order.status], totalKobo: [null, order.totalKobo] })
  work.emit('order.created', order.id, { order })
  return { is: 'created', order }
}

async function customerOf(work: OrderWork, request: OrderInput): Promise<CustomerSnapshot | undefined> {
  const { trx, merchantId, nowMs, now } = work
  if (request.customerId !== undefined) return findCustomer(trx, merchantId, request.customerId)
  if (request.customer === undefined) return undefined
  const { name, email } = request.customer
  const phone = request.customer.phone ?? null
  const id = await upsertCustomer(trx, { merchantId, id: newCustomerId(nowMs), name, email, phone, now })
  // The order keeps what was sent with it, whatever the customer's record says.
  return { id, name, email, phone }
}

function judgeLines(
  request: OrderInput,
  variants: readonly SellableVariant[],
):
  | { readonly is: 'fine'; readonly lines: readonly WantedLine[] }
  | Extract<CreateOrderOutcome, { is: 'variants_unknown' | 'not_available' | 'short' }> {
  const byId = new Map(variants.map((variant) => [variant.id, variant]))
  const unknown = request.items.filter((item) => !byId.has(item.variantId))
  if (unknown.length > 0) return { is: 'variants_unknown', variantIds: unknown.map((item) => item.variantId) }
  const lines = request.items.flatMap((item) => {
    const variant = byId.get(item.variantId)
    return variant === undefined ? [] : [{ variant, quantity: item.quantity }]
  })
  const unavailable = lines.filter((line) => !line.variant.isSellable)
  if (unavailable.length > 0) return { is: 'not_available', variantIds: unavailable.map((line) => line.variant.id) }
  const items = shortagesOf(lines)
  return items.length > 0 ? { is: 'short', items } : { is: 'fine', lines }
}

/** Judged with BigInt before any sum is made: a hundred lines of a thousand pieces could pass 2^53. */
function isTooLarge(lines: readonly WantedLine[], shippingKobo: Kobo): boolean {
  const gross = lines.reduce(
    (total, { variant, quantity }) => total + BigInt(variant.priceKobo) * BigInt(quantity),
    BigInt(shippingKobo),
  )
  return gross > BigInt(amountMaxKobo)
}

function taxRuleOf(settings: MerchantSettings): TaxRule {
  return { rateBps: settings.isTaxRegistered ? settings.taxRateBps : 0, isInclusive: settings.isTaxInclusive }
}

function takeStock(work: OrderWork, orderId: OrderId, lines: readonly WantedLine[], settings: MerchantSettings): void {
  const { merchantId, nowMs, now } = work
  const reservations = lines.map((line) => ({ line, ...reservationOf(line, settings.lowStockThreshold) }))
  reserveStock(work.trx, { merchantId, orderId, nowMs, now }, reservations)
  for (const { line, crossedThreshold, reserved } of reservations) {
    if (crossedThreshold === undefined) continue
    const { variant } = line
    work.emit('inventory.low_stock', variant.id, {
      productId: variant.productId,
      variantId: variant.id,
      sku: variant.sku,
      title: variant.variantTitle === '' ? variant.title : `${variant.title}, ${variant.variantTitle}`,
      available: availableOf({ onHand: variant.onHand, reserved }),
      onHand: variant.onHand,
      reserved,
      threshold: crossedThreshold,
      cause: { type: 'order', orderId },
      occurredAt: now,
    })
  }
}
