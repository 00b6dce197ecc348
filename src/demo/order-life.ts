import type { OrderSource, OrderStatus, PaymentMethod } from '../../registry/orders/order-states.ts'
import type { Kobo } from '../../registry/values/vocabulary.ts'
import { share, toKobo } from '../commerce/money.ts'
import type { Random } from './random.ts'

/**
 * Generates the life cycle of a demo order. A whole life cycle is drawn at random and then cut off at the present time.
 * As in a real shop, recent orders are therefore pending or on their way.
 */
export interface DemoOrderLife {
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

export interface NewDemoOrder {
  readonly createdMs: number
  readonly nowMs: number
  readonly totalKobo: Kobo
  readonly source: OrderSource
  readonly paymentMethod: PaymentMethod
  readonly pendingOrderTtlMinutes: number | null
}

export function orderLifeOf(random: Random, order: NewDemoOrder): DemoOrderLife {
  const course = order.source === 'pos' ? overTheCounter : random.weighted(courses)
  const changes = changesOf(random, course, order)
  const status = changes.at(-1)?.to ?? 'pending'
  return {
    status,
    heldFrom: status === 'on_hold' ? (changes.at(-1)?.from ?? 'pending') : null,
    source: order.source,
    paymentMethod: order.paymentMethod,
    cancelReason: status === 'cancelled' ? cancelReasonOf(course, order) : null,
    changes,
    payments: paymentsOf(random, course, changes, order),
  }
}

interface LifeCourse {
  readonly weight: number
  readonly steps: readonly OrderStatus[]
  readonly reason?: CancelReason
}

/**
 * Possible life cycles of a demo order, with their approximate percentages. Refused deliveries are common with payment
 * on delivery.
 */
const courses: readonly LifeCourse[] = [
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

/** A sale in the shop itself: the customer takes the goods at once. */
const overTheCounter: LifeCourse = { weight: 1, steps: ['processing', 'delivered'] }

const hour = 60

/**
 * Minimum and maximum duration of each step in minutes: riders in Lagos deliver the same day, buses to other states
 * take days.
 */
const stepMinutes: Readonly<Record<OrderStatus, readonly [min: number, max: number]>> = {
  pending: [0, 0],
  on_hold: [10, 2 * hour],
  processing: [3, 8 * hour],
  shipped: [4 * hour, 48 * hour],
  delivered: [2 * hour, 96 * hour],
  returned: [12 * hour, 240 * hour],
  cancelled: [20, 23 * hour],
}

function changesOf(random: Random, course: LifeCourse, birth: NewDemoOrder): StatusChange[] {
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

/**
 * Replaces cancellation reasons that cannot occur: a declined payment without a payment attempt, or an expiry of orders
 * that never expire.
 */
function cancelReasonOf({ reason }: LifeCourse, birth: NewDemoOrder): CancelReason {
  if (reason === 'payment_declined' && birth.paymentMethod === 'pay_on_delivery') return 'customer'
  if (reason === 'expired' && birth.pendingOrderTtlMinutes === null) return 'customer'
  return reason ?? 'customer'
}

function minutesUntil(random: Random, to: OrderStatus, course: LifeCourse, birth: NewDemoOrder): number {
  // An over-the-counter sale takes minutes: the customer pays in the shop and takes the goods.
  if (course === overTheCounter) return random.between(1, 4)
  if (course.reason === 'expired' && birth.pendingOrderTtlMinutes !== null) return birth.pendingOrderTtlMinutes
  const [min, max] = stepMinutes[to]
  return random.between(min, max)
}

/**
 * Generates the payments of a demo order, at confirmation or on delivery. Some orders have a deposit, with the rest
 * paid before shipping; some pending orders have only a deposit so far.
 */
function paymentsOf(random: Random, course: LifeCourse, changes: readonly StatusChange[], birth: NewDemoOrder) {
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
