import fc from 'fast-check'
import { expect } from 'vitest'
import { orderStatuses } from '../../registry/orders/order-states.ts'
import type { TestApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'
import { Driver } from './driver.ts'
import { dayMs } from './model.ts'
import type { Action, Refund, Shop } from './model-records.ts'
import { submitRefunds } from './model-refunds.ts'
import { outcomesOf } from './serialize.ts'

/**
 * Executes random actions on one shop, several of them concurrently on several database connections. The resulting
 * state and the responses must equal those of the model for at least one sequence of the actions.
 */

export const priceKobo = 1000

function openingShop(nowMs: number): Shop {
  const variants = [4, 6].map((onHand) => ({ priceKobo, onHand, reserved: 0 }))
  return { variants, orders: {}, nowMs }
}

const refundStatus = fc.record({
  is: fc.constant('refund_status' as const),
  of: fc.nat(),
  to: fc.constantFrom('processing' as const, 'needs-attention' as const, 'processed' as const, 'failed' as const),
})

/** A random action. Its numbers select orders and variants from those that exist when the action runs. */
const wish = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('order' as const),
      quantities: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('pay' as const), of: fc.nat(), parts: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('refund' as const), of: fc.nat(), parts: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('void' as const), of: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('charge' as const), of: fc.nat(), parts: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('provider_refund' as const),
      of: fc.nat(),
      parts: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 4, arbitrary: refundStatus },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('edit' as const),
      of: fc.nat(),
      quantities: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('cancel' as const), of: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('move' as const),
      of: fc.nat(),
      to: fc.constantFrom(...orderStatuses),
      isRestocked: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('adjust' as const),
      variant: fc.nat({ max: 1 }),
      delta: fc.integer({ min: -3, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('expire' as const) }) },
)

type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never

/**
 * A step of the test: some actions that run concurrently. Before them, the clock sometimes advances by half a day, so
 * that unpaid orders expire during other actions. Before some steps, the worker submits the pending refunds.
 */
const step = fc.record({
  isLater: fc.boolean(),
  isSubmitting: fc.boolean(),
  wishes: fc.array(wish, { minLength: 1, maxLength: 4 }),
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

export const anySteps = fc.array(step, { minLength: 10, maxLength: 20 })

/** Steps of one paid order whose refunds succeed, fail and bounce while the order is sent, returned or cancelled. */
export const refundSteps = fc
  .array(
    fc.record({
      isLater: fc.constant(false),
      isSubmitting: fc.boolean(),
      wishes: fc.array(
        fc.oneof(
          { weight: 6, arbitrary: refundStatus },
          {
            weight: 4,
            arbitrary: fc.record({
              is: fc.constant('refund' as const),
              of: fc.constant(0),
              parts: fc.constantFrom(1, 2, 4),
            }),
          },
          {
            weight: 1,
            arbitrary: fc.record({ is: fc.constant('charge' as const), of: fc.constant(0), parts: fc.constant(2) }),
          },
          { weight: 1, arbitrary: fc.record({ is: fc.constant('cancel' as const), of: fc.constant(0) }) },
          {
            weight: 2,
            arbitrary: fc.record({
              is: fc.constant('move' as const),
              of: fc.constant(0),
              to: fc.constantFrom('shipped' as const, 'delivered' as const, 'returned' as const),
              isRestocked: fc.boolean(),
            }),
          },
        ),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: 10, maxLength: 15 },
  )
  .map((steps): Step[] => {
    const first = { isLater: false, isSubmitting: false }
    return [
      { ...first, wishes: [{ is: 'order', quantities: [1, 1] }] },
      { ...first, wishes: [{ is: 'charge', of: 0, parts: 4 }] },
      ...steps,
    ]
  })

/**
 * Maximum number of concurrent actions. With more, there would be too many possible sequences of the actions to try.
 */
const mostAtOnce = 6

/** Runs the property test. A failure can be repeated with the seed in its message. */
export async function runShops(
  api: TestApi,
  run: { readonly numRuns: number; readonly seed?: number },
  anyOfSteps: fc.Arbitrary<readonly Step[]> = anySteps,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyOfSteps, async (steps) => {
      let shop = openingShop(api.clock.nowMs())
      const opening = shop
      const driver = await Driver.open(api, await openShop(api.context), shop)
      let slots = 0
      for (const { isLater, isSubmitting, wishes } of steps) {
        // The clock advances before each step, so that the ids of records from different steps sort in the order of the
        // steps.
        api.clock.advance(isLater ? dayMs / 2 : 1)
        shop = { ...shop, nowMs: api.clock.nowMs() }
        if (isSubmitting) {
          await driver.submitRefunds()
          const submitted = submitRefunds(shop)
          shop = await driver.read(shop.nowMs)
          expect(withoutSequence(shop)).toEqual(withoutSequence(submitted))
        }
        const existing = slots
        const actions = wishes.flatMap((each) => actionsOf(each, shop, existing, () => slots++))
        const done = await driver.doAtOnce(atOnce(actions))
        const found = await driver.read(shop.nowMs)
        const explained = outcomesOf(shop, done).find((outcome) => isSame(outcome, found))
        expect(explained, JSON.stringify({ shop, done, found }, null, 1)).toBeDefined()
        shop = found
        await driver.expectLedgersToAddUp(opening)
        await driver.expectProblemsToFollow()
      }
    }),
    run,
  )
}

/**
 * Kinds of actions that occur at most once in a step. Payments with the same time have no defined sequence, and only
 * one of two voids of a payment succeeds.
 */
const onceKinds: readonly Action['is'][] = ['charge', 'provider_refund', 'refund_status', 'void']

/**
 * Returns the actions that run together in one step. The expiry job cancels all due orders, so one step contains all
 * expiries. If there are `mostAtOnce` expiries or more, the step contains no other action.
 */
function atOnce(actions: readonly Action[]): Action[] {
  const isExpiry = ({ is }: Action) => is === 'expire'
  const seen = new Set<Action['is']>()
  const isFirst = ({ is }: Action) => {
    const isRepeated = onceKinds.includes(is) && seen.has(is)
    seen.add(is)
    return !isRepeated
  }
  // A restock names the items of the order by their ids. An edit in the same step can remove these items.
  const edited = new Set(actions.flatMap((each) => (each.is === 'edit' ? [each.order] : [])))
  const isOfEdited = (each: Action) => each.is === 'move' && each.isRestocked && edited.has(each.order)
  const expiries = [...new Map(actions.filter(isExpiry).map((each) => [JSON.stringify(each), each])).values()]
  return [
    ...expiries,
    ...actions
      .filter((each) => !isExpiry(each) && !isOfEdited(each) && isFirst(each))
      .slice(0, Math.max(0, mostAtOnce - expiries.length)),
  ]
}

function isSame(one: Shop, other: Shop): boolean {
  return JSON.stringify(withoutSequence(one)) === JSON.stringify(withoutSequence(other))
}

/** Returns the shop with its manual payments sorted, because the payments of one step have no defined order. */
function withoutSequence(shop: Shop): Shop {
  const sorted = Object.entries(shop.orders).map(([slot, order]) => {
    const manual = order.manual.toSorted(
      (a, b) => a.amountKobo - b.amountKobo || Number(a.isVoided) - Number(b.isVoided),
    )
    return [slot, { ...order, manual }] as const
  })
  return { ...shop, orders: Object.fromEntries(sorted) }
}

function actionsOf(each: Wish, shop: Shop, existing: number, nextSlot: () => number): Action[] {
  if (each.is === 'order') {
    const lines = linesOf(each.quantities)
    return lines.length === 0 ? [] : [{ is: 'order', slot: nextSlot(), lines }]
  }
  if (each.is === 'adjust') return each.delta === 0 ? [] : [each]
  if (each.is === 'expire') return dueSlots(shop).map((order) => ({ is: 'expire', order }))
  if (each.is === 'refund_status') {
    const submitted = submittedRefunds(shop)
    const chosen = submitted[each.of % Math.max(1, submitted.length)]
    return chosen === undefined ? [] : [{ is: 'refund_status', ...chosen, to: each.to }]
  }
  if (existing === 0) return []
  const order = each.of % existing
  if (each.is === 'edit') {
    const lines = linesOf(each.quantities)
    return lines.length === 0 ? [] : [{ is: 'edit', order, lines }]
  }
  if (each.is === 'cancel') return [{ is: 'cancel', order }]
  if (each.is === 'move') return [{ is: 'move', order, to: each.to, isRestocked: each.isRestocked }]
  // Each payment and each refund is a multiple of a quarter of the order's total. Orders are therefore often paid and
  // refunded in parts, and sometimes in excess.
  const placed = shop.orders[order]
  if (each.is === 'void') {
    const count = placed?.manual.length ?? 0
    return count === 0 ? [] : [{ is: 'void', order, payment: each.of % count }]
  }
  const amountKobo = Math.ceil(((placed?.totalKobo ?? priceKobo) * each.parts) / 4)
  if (each.is === 'charge') return placed === undefined ? [] : [{ is: 'charge', order, amountKobo }]
  if (each.is === 'provider_refund') {
    const count = placed?.charges.length ?? 0
    return count === 0 ? [] : [{ is: 'provider_refund', order, charge: each.of % count, amountKobo }]
  }
  return [{ is: each.is, order, amountKobo }]
}

function linesOf(quantities: readonly number[]): { variant: number; quantity: number }[] {
  return quantities.flatMap((quantity, variant) => (quantity === 0 ? [] : [{ variant, quantity }]))
}

/**
 * Returns the slots of the orders that are due for expiry. One run of the expiry job cancels all of these orders, so
 * the model must expire all of them.
 */
function dueSlots(shop: Shop): number[] {
  return Object.entries(shop.orders)
    .filter(([, order]) => order.expiresMs !== null && order.expiresMs <= shop.nowMs)
    .map(([slot]) => Number(slot))
}

function submittedRefunds(shop: Shop): { order: number; charge: number; refund: Refund }[] {
  return Object.entries(shop.orders).flatMap(([slot, { charges }]) =>
    charges.flatMap(({ refunds }, charge) =>
      refunds
        .filter(({ status, isForeign }) => status !== 'pending' && !isForeign)
        .map((refund) => ({ order: Number(slot), charge, refund })),
    ),
  )
}
