import type { OrderSource, PaymentMethod } from '../../registry/orders/order-states.ts'
import type { Address } from '../../registry/values/address.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { TaxRule } from '../commerce/orders/totals.ts'
import type { SeedCustomer, SeedPayment, SeedStatusChange } from '../store/seed/seed.ts'
import type { SeedMovement, SellableVariant } from '../store/seed/seed-stock.ts'
import { demoIds } from './demo-ids.ts'
import { orderLifeOf } from './order-life.ts'
import { basketOf, type DemoItem, itemRowsOf } from './order-lines.ts'
import { demoOrderNumber } from './order-number.ts'
import { customerRowOf, type DemoOrder, orderRowOf, paymentRowsOf, statusChangeRowsOf } from './order-rows.ts'
import { type Person, personOf } from './people.ts'
import { type Random, randomOf } from './random.ts'
import { orderMovements } from './stock-movements.ts'

/** The inputs from which demo orders are generated. Equal inputs generate equal orders. */
export interface OrderPlan {
  readonly seed: string
  readonly merchantId: MerchantId
  readonly nowMs: number
  /** The number of demo orders, whose dates are spread evenly over the last half year. */
  readonly count: number
  readonly tax: TaxRule
  readonly pendingOrderTtlMinutes: number | null
  readonly variants: readonly SellableVariant[]
}

/**
 * A batch of demo orders in a run of the seeding command. `index` counts from the first order of the run, `position`
 * from the merchant's first demo order.
 */
export interface OrderRange {
  readonly index: number
  readonly position: number
  readonly count: number
  /** Number of the attempt to seed the orders, which is incremented when an order number is already in use. */
  readonly attempt: number
  /** Time of the inventory movements of demo orders. It is the present, regardless of the order's date. */
  readonly ledgerMs: number
}

export interface GeneratedOrder {
  readonly order: DemoOrder
  readonly items: readonly DemoItem[]
  readonly payments: readonly SeedPayment[]
  readonly statusChanges: readonly SeedStatusChange[]
  readonly movements: readonly SeedMovement[]
  /** The customer of the order. The record already exists if the customer ordered before. */
  readonly customer: SeedCustomer
  readonly shippingAddress: Address | null
}

/** The oldest orders come first. The result depends only on the plan and the range of orders. */
export function generateOrders(plan: OrderPlan, range: OrderRange): GeneratedOrder[] {
  return Array.from({ length: range.count }, (_, step) =>
    generateOrder(plan, { ...range, index: range.index + step, position: range.position + step }),
  )
}

function generateOrder(plan: OrderPlan, place: OrderRange): GeneratedOrder {
  const random = randomOf('order', plan.seed, place.position)
  const ids = demoIds(plan.merchantId, plan.seed, place.position)
  const createdMs = creationOf(random, plan, place.index)
  const customerIndex = customerOf(random, place.position)
  const person = personOf(plan.seed, customerIndex)
  const { source } = random.weighted(sources)
  const { method } = random.weighted(source === 'pos' ? counterMethods : methods)
  const shippingAddress = source === 'pos' ? null : person.address
  const shippingNaira = shippingAddress === null ? 0 : random.between(...shippingNairaTo(person)) * 100
  const basket = basketOf(random, plan.variants, { shippingNaira, tax: plan.tax })
  const life = orderLifeOf(random, {
    createdMs,
    nowMs: plan.nowMs,
    totalKobo: basket.totals.totalKobo,
    source,
    paymentMethod: method,
    pendingOrderTtlMinutes: plan.pendingOrderTtlMinutes,
  })
  const id = ids.order(createdMs)
  const number = demoOrderNumber(place.position, place.attempt)
  const facts = { plan, position: place.position, number, id, createdMs, life, basket, person, shippingAddress }
  const items = itemRowsOf(basket, { merchantId: plan.merchantId, id, createdMs, status: life.status }, ids)
  const ledger = { atMs: place.ledgerMs, position: place.position }
  return {
    order: orderRowOf(facts),
    items,
    payments: paymentRowsOf(facts, ids),
    statusChanges: statusChangeRowsOf(facts),
    movements: orderMovements({ id, status: life.status, items }, ledger, ids),
    customer: customerRowOf(facts, demoIds(plan.merchantId, plan.seed, 'customer', customerIndex)),
    shippingAddress,
  }
}

const periodMs = 180 * 24 * 60 * 60 * 1000 // Half a year of demo orders: enough for a season, and few enough to page through.

/** The period is divided into equal parts, one for each order, so that an order with a higher index is newer. */
function creationOf(random: Random, plan: OrderPlan, index: number): number {
  return plan.nowMs - periodMs + Math.floor(((index + random.fraction()) / plan.count) * periodMs)
}

/**
 * Every third order is from a new customer. The other orders are from existing customers, among whom the earliest
 * customers order most often.
 */
function customerOf(random: Random, position: number): number {
  const known = Math.ceil(position / 3)
  if (position % 3 === 0) return known
  return Math.floor(known * random.fraction() ** 2)
}

const sources: readonly { weight: number; source: OrderSource }[] = [
  { weight: 34, source: 'storefront' },
  { weight: 24, source: 'whatsapp' },
  { weight: 18, source: 'instagram' },
  { weight: 10, source: 'pos' },
  { weight: 8, source: 'dashboard' },
  { weight: 6, source: 'api' },
]

const methods: readonly { weight: number; method: PaymentMethod }[] = [
  { weight: 42, method: 'bank_transfer' },
  { weight: 28, method: 'card' },
  { weight: 18, method: 'pay_on_delivery' },
  { weight: 9, method: 'ussd' },
  { weight: 3, method: 'other' },
]

const counterMethods: readonly { weight: number; method: PaymentMethod }[] = [
  { weight: 45, method: 'card' },
  { weight: 35, method: 'bank_transfer' },
  { weight: 20, method: 'cash' },
]

/**
 * Returns the lowest and the highest delivery fee, in units of 100 naira: for a rider within Lagos, or for air freight
 * to the capital.
 */
function shippingNairaTo(person: Person): [min: number, max: number] {
  return person.address.state === 'Lagos' ? [15, 40] : [45, 75]
}
