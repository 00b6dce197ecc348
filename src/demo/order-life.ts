import type { OrderSource, OrderStatus, PaymentMethod } from '../../registry/orders/order-states.ts'
import type { Kobo } from '../../registry/values/vocabulary.ts'
import { share, toKobo } from '../commerce/money.ts'
import type { Random } from './random.ts'

/**
 * What becomes of a demo order. A whole life is drawn, and then cut off at the present moment: so orders of the last
 * days are pending or on their way, as in a real shop, without anything saying so.
 */
export interface OrderLife {
  readonly status: OrderStatus
  readonly heldFrom: OrderStatus | null
  readonly source: OrderSource
  readonly paymentMethod: PaymentMethod
  readonly cancelReason: CancelReason | null
  readonly changes: readonly StatusChange[]
  readonly payments: readonly { readonly atMs: number; readonly amountKobo: Kobo }[]
}

interface StatusChange {
  readonly atMs: number
  readonly from: OrderStatus
  readonly to: OrderStatus
}

type CancelReason = 'customer' | 'payment_declined' | 'expired' | 'inventory'

export interface Birth {
  readonly createdMs: number
  readonly nowMs: number
  readonly totalKobo: Kobo
  readonly source: OrderSource
  readonly paymentMethod: PaymentMethod
  readonly pendingOrderTtlMinutes: number | null
}

export function orderLifeOf(random: Random, birth: Birth): OrderLife {
  const course = birth.source === 'pos' ? overTheCounter : random.weighted(courses)
  const changes = changesOf(random, course, birth)
  const status = changes.at(-1)?.to ?? 'pending'
  return {
    status,
    heldFrom: status === 'on_hold' ? (changes.at(-1)?.from ?? 'pending') : null,
    source: birth.source,
    paymentMethod: birth.paymentMethod,
    cancelReason: status === 'cancelled' ? cancelReasonOf(course, birth) : null,
    changes,
    payments: paymentsOf(random, course, changes, birth),
  }
}

interface Course {
  readonly weight: number
  readonly steps: readonly OrderStatus[]
  readonly reason?: CancelReason
}

/** Of a hundred orders, roughly; returns and refusals at the door are common where people pay on delivery. */
const courses: readonly Course[] = [
  { weight: 73, steps: ['processing', 'shipped', 'delivered'] },
  { weight: 4, steps: ['processing', 'shipped', 'delivered', 'returned'] },
  { weight: 2, steps: ['processing', 'shipped', 'returned'] },
  { weight: 2, steps: ['processing', 'shipped'] },
  { weight: 2, steps: ['processing'] },
  { weight: 3, steps: [] },
  { weight: 1, steps: ['on_hold'] },
  { weight: 2, steps: ['processing', 'on_hold'] },
  { weight: 4, steps: ['cancelled'], reason: 'expired' },
  { weight: 3, steps: ['cancelled'], reason: 'customer' },
  { weight: 2, steps: ['cancelled'], reason: 'payment_declined' },
  { weight: 2, steps: ['processing', 'cancelled'], reason: 'inventory' },
]

/** In the shop itself, the customer leaves with the bag. */
const overTheCounter: Course = { weight: 1, steps: ['processing', 'delivered'] }

const hour = 60

/** How long a step takes, in minutes: riders in Lagos are there the same day, buses to other states take days. */
const stepMinutes: Readonly<Record<OrderStatus, readonly [min: number, max: number]>> = {
  pending: [0, 0],
  on_hold: [10, 2 * hour],
  processing: [3, 8 * hour],
  shipped: [4 * hour, 48 * hour],
  delivered: [2 * hour, 96 * hour],
  returned: [12 * hour, 240 * hour],
  cancelled: [20, 23 * hour],
}

function changesOf(random: Random, course: Course, birth: Birth): StatusChange[] {
  const changes: StatusChange[] = []
  let atMs = birth.createdMs
  let from: OrderStatus = 'pending'
  for (const to of course.steps) {
    atMs += minutesUntil(random, to, course, birth) * 60_000 + random.between(0, 59_999)
    if (atMs > birth.nowMs) break
    changes.push({ atMs, from, to })
    from = to
  }
  return changes
}

/** No payment is declined where none was tried, and nothing expires where orders never do. */
function cancelReasonOf({ reason }: Course, birth: Birth): CancelReason {
  if (reason === 'payment_declined' && birth.paymentMethod === 'pay_on_delivery') return 'customer'
  if (reason === 'expired' && birth.pendingOrderTtlMinutes === null) return 'customer'
  return reason ?? 'customer'
}

function minutesUntil(random: Random, to: OrderStatus, course: Course, birth: Birth): number {
  if (course === overTheCounter) return random.between(1, 4) // packing and paying
  if (course.reason === 'expired' && birth.pendingOrderTtlMinutes !== null) return birth.pendingOrderTtlMinutes
  const [min, max] = stepMinutes[to]
  return random.between(min, max)
}

/**
 * Money comes when the order is confirmed, or at the door. Of the transfers some come as a deposit, with the rest before
 * the parcel leaves; of the orders that wait some have their deposit already.
 */
function paymentsOf(random: Random, course: Course, changes: readonly StatusChange[], birth: Birth) {
  const at = (to: OrderStatus) => changes.find((change) => change.to === to)?.atMs
  const isDeposit = birth.paymentMethod === 'bank_transfer' && random.chance(15)
  const isWaiting = course.steps.length === 0 && random.chance(35)
  const depositKobo = share(birth.totalKobo, random.between(30, 60), 100)
  const restKobo = toKobo(birth.totalKobo - depositKobo)
  const depositMs = birth.createdMs + random.between(1, 6 * hour) * 60_000
  const payment = (atMs: number | undefined, amountKobo: Kobo) =>
    atMs === undefined || atMs > birth.nowMs || amountKobo === 0 ? [] : [{ atMs, amountKobo }]
  if (isWaiting) return payment(depositMs, depositKobo)
  if (birth.paymentMethod === 'pay_on_delivery') return payment(at('delivered'), birth.totalKobo)
  if (isDeposit && birth.source !== 'pos') {
    return [...payment(at('processing'), depositKobo), ...payment(at('shipped'), restKobo)]
  }
  return payment(at('processing'), birth.totalKobo)
}
