import type { OrderStatus } from '../../registry/orders/order-states.ts'
import type { Address } from '../../registry/values/address.ts'
import type { MerchantId, OrderId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { noKobo, sum } from '../commerce/money.ts'
import type { TaxRule } from '../commerce/orders/totals.ts'
import type { SeedCustomer, SeedOrder, SeedPayment, SeedStatusChange } from '../store/seed/seed.ts'
import type { DemoIds } from './demo-ids.ts'
import type { DemoOrderLife } from './order-life.ts'
import type { Basket } from './order-lines.ts'
import { demoReference } from './order-reference.ts'
import type { Person } from './people.ts'

export interface OrderFacts {
  readonly plan: {
    readonly merchantId: MerchantId
    readonly nowMs: number
    readonly tax: TaxRule
    readonly pendingOrderTtlMinutes: number | null
  }
  readonly position: number
  readonly number: string
  readonly id: OrderId
  readonly createdMs: number
  readonly life: DemoOrderLife
  readonly basket: Basket
  readonly person: Person
  readonly shippingAddress: Address | null
}

export function orderRowOf(facts: OrderFacts) {
  const { plan, life, createdMs, person, shippingAddress } = facts
  const { totals, itemCount } = facts.basket
  const versions = versionsOf(life)
  const paidKobo = sum(life.payments.map((payment) => payment.amountKobo))
  const lastPayment = life.payments.at(-1)
  const expiresMs = createdMs + (plan.pendingOrderTtlMinutes ?? 0) * 60_000
  const expires = life.status === 'pending' && plan.pendingOrderTtlMinutes !== null && expiresMs > plan.nowMs
  const isCancelled = life.status === 'cancelled'
  const wasSent = life.changes.some((change) => change.to === 'shipped' || change.to === 'delivered')
  return {
    merchantId: plan.merchantId,
    id: facts.id,
    number: facts.number,
    status: life.status,
    heldFrom: life.heldFrom,
    version: versions.size + 1,
    customerId: null,
    customerName: person.name,
    customerEmail: person.email,
    customerPhone: person.phone,
    paymentMethod: life.paymentMethod,
    subtotalKobo: totals.subtotalKobo,
    discountKobo: totals.discountKobo,
    shippingKobo: totals.shippingKobo,
    taxKobo: totals.taxKobo,
    totalKobo: totals.totalKobo,
    taxInclusive: plan.tax.isInclusive,
    taxRateBps: plan.tax.rateBps,
    paidKobo,
    refundedKobo: noKobo,
    refundPendingKobo: noKobo,
    refundedTaxKobo: noKobo,
    itemQuantity: isCancelled ? 0 : itemCount,
    fulfilledQuantity: wasSent ? itemCount : 0,
    returnedQuantity: life.status === 'returned' ? itemCount : 0,
    shippingAddress,
    tags: [],
    externalReference: demoReference(facts.position),
    source: life.source,
    cancelReason: life.cancelReason,
    metadata: {},
    // The time at which an unpaid order expires. Null for a pending demo order that would have expired in the past, so
    // that the order stays pending.
    expiresAt: expires ? toTimestamp(expiresMs) : null,
    ...momentsOf(life),
    paidAt: lastPayment !== undefined && paidKobo >= totals.totalKobo ? toTimestamp(lastPayment.atMs) : null,
    createdAt: toTimestamp(createdMs),
    updatedAt: toTimestamp(Math.max(createdMs, ...versions.keys())),
  } satisfies SeedOrder
}

export type DemoOrder = ReturnType<typeof orderRowOf>

function momentsOf({ changes }: DemoOrderLife) {
  const at = (to: OrderStatus): Timestamp | null => {
    const change = changes.find((each) => each.to === to)
    return change === undefined ? null : toTimestamp(change.atMs)
  }
  return {
    confirmedAt: at('processing'),
    shippedAt: at('shipped'),
    deliveredAt: at('delivered'),
    cancelledAt: at('cancelled'),
    returnedAt: at('returned'),
  }
}

export function paymentRowsOf({ plan, position, id, life }: OrderFacts, ids: DemoIds): SeedPayment[] {
  return life.payments.map(({ atMs, amountKobo }, index) => ({
    merchantId: plan.merchantId,
    id: ids.payment(atMs),
    orderId: id,
    amountKobo,
    method: life.paymentMethod,
    reference: `${demoReference(position)}-${index + 1}`,
    provider: 'manual',
    paidAt: toTimestamp(atMs),
    createdAt: toTimestamp(atMs),
  }))
}

export function statusChangeRowsOf({ plan, id, life }: OrderFacts): SeedStatusChange[] {
  const versions = versionsOf(life)
  const paidMs = new Set(life.payments.map((payment) => payment.atMs))
  return life.changes.map(({ atMs, from, to }) => ({
    merchantId: plan.merchantId,
    orderId: id,
    version: versions.get(atMs) ?? 0,
    fromStatus: from,
    toStatus: to,
    reason:
      to === 'cancelled' ? life.cancelReason : to === 'processing' && paidMs.has(atMs) ? 'payment_received' : null,
    actorType: 'operator',
    actorId: null,
    occurredAt: toTimestamp(atMs),
  }))
}

export function customerRowOf({ plan, person, createdMs }: OrderFacts, ids: DemoIds): SeedCustomer {
  return {
    merchantId: plan.merchantId,
    id: ids.customer(createdMs),
    name: person.name,
    email: person.email,
    phone: person.phone,
    tags: [],
    marketing: {},
    status: 'active',
    metadata: {},
    version: 1,
    createdAt: toTimestamp(createdMs),
    updatedAt: toTimestamp(createdMs),
  }
}

/**
 * Returns the version of a demo order after each of its events. Each event increments the version by one. A payment and
 * the confirmation that it causes count as one event.
 */
function versionsOf({ changes, payments }: DemoOrderLife): ReadonlyMap<number, number> {
  const moments = new Set([...changes, ...payments].map((event) => event.atMs))
  return new Map([...moments].sort((a, b) => a - b).map((atMs, index) => [atMs, index + 2]))
}
