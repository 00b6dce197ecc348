import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestApi } from '../support/api.ts'
import { openTestShop } from '../support/logistics/parcel-run.ts'
import { ParcelsDriver } from './parcels-driver.ts'
import { type Action, act, type Order } from './parcels-model.ts'

/**
 * Splits one order into shipments with random concurrent requests. Some shipments are rejected, cancelled, lost or
 * returned. Other requests refund units, with and without a restock, or cancel the order. The resulting state and the
 * responses must equal those of the model for some sequence of the requests.
 */

interface Runs {
  /** Ordered units of each order line. */
  readonly quantities: readonly number[]
  readonly steps: fc.Arbitrary<readonly (readonly Wish[])[]>
}

const units = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 }))
  .map((each): readonly number[] => each)
  .filter((each) => each.some((count) => count > 0))

const wish = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('dispatch' as const), units }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('dispatch_rest' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('dispatch_in_vain' as const), units }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('refund' as const),
      line: fc.nat({ max: 1 }),
      quantity: fc.integer({ min: 1, max: 2 }),
      isRestocked: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('refund_rest' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('cancel_order' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constantFrom('cancel' as const, 'lose' as const), of: fc.nat() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constantFrom('pick_up' as const, 'deliver' as const, 'return' as const),
      of: fc.nat(),
    }),
  },
)

type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never

/** Actions of every kind on an order with several units in each shipment. */
export const anyRuns: Runs = {
  quantities: [3, 2],
  steps: fc.array(fc.array(wish, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 12 }),
}

/** A random action on an order with two units in separate shipments. */
const unitWish = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('dispatch' as const), units: fc.constantFrom([1, 0], [0, 1]) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('refund' as const),
      line: fc.nat({ max: 1 }),
      quantity: fc.constant(1),
      isRestocked: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constantFrom('pick_up' as const, 'deliver' as const), of: fc.nat() }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constantFrom('return' as const, 'lose' as const), of: fc.nat() }) },
)

/**
 * Each unit of the order is in a shipment of its own. The carriers collect none, one or both units, and then lose, return
 * or deliver them. Returned units are sent again, and units are refunded at any time.
 */
export const unitRuns: Runs = {
  quantities: [1, 1],
  steps: fc
    .tuple(
      fc.nat({ max: 2 }),
      fc.array(fc.array(unitWish, { minLength: 1, maxLength: 2 }), { minLength: 6, maxLength: 10 }),
    )
    .map(([collected, steps]): Wish[][] => [
      [{ is: 'dispatch', units: [1, 0] }],
      [{ is: 'dispatch', units: [0, 1] }],
      ...Array.from({ length: collected }, (): Wish[] => [{ is: 'pick_up', of: 0 }]),
      ...steps,
    ]),
}

/** Runs the property test. A failure can be repeated with the seed in its message. */
export async function runParcels(
  api: TestApi,
  run: { readonly numRuns: number; readonly seed?: number },
  { quantities, steps: anySteps } = anyRuns,
): Promise<void> {
  const shop = await openTestShop(api)
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const driver = await ParcelsDriver.open(api, shop, quantities)
      let order = await driver.read()
      let slots = 0
      for (const wishes of steps) {
        const actions = atOnce(wishes.flatMap((each) => actionOf(each, order, () => slots++)))
        const done = await driver.doAtOnce(actions)
        const found = await driver.read()
        const explained = outcomesOf(order, done).find((outcome) => isSame(outcome, found))
        expect(explained, JSON.stringify({ order, done, found }, null, 1)).toBeDefined()
        order = found
        await driver.expectLedgerToAddUp()
      }
    }),
    run,
  )
}

/**
 * Returns the actions to run concurrently, with at most one for each shipment. A dispatch or a refund of all remaining
 * units runs alone, because it determines the remaining units before other requests end. A dispatch that every carrier
 * rejects also runs alone, because it holds its units until the last rejection. No refund or cancellation runs beside a
 * dispatch, because a dispatch is several transactions; other tests cover a refund or a cancellation between these
 * transactions.
 */
function atOnce(actions: readonly Action[]): Action[] {
  const isAlone = ({ is }: Action) => is === 'dispatch_rest' || is === 'dispatch_in_vain' || is === 'refund_rest'
  const [first] = actions
  if (first !== undefined && isAlone(first)) return [first]
  const parcels = new Set<number>()
  const isDispatching = actions.some(({ is }) => is === 'dispatch')
  return actions.filter((action) => {
    if (isAlone(action)) return false
    if (action.is === 'refund' || action.is === 'cancel_order') return !isDispatching
    if (!('parcel' in action)) return true
    if (parcels.has(action.parcel)) return false
    parcels.add(action.parcel)
    return true
  })
}

/** Generates only events that a carrier could report about an existing shipment. */
function actionOf(each: Wish, order: Order, nextSlot: () => number): Action[] {
  if (each.is === 'dispatch') return [{ is: 'dispatch', slot: nextSlot(), units: each.units }]
  if (each.is === 'dispatch_rest') return [{ is: 'dispatch_rest', slot: nextSlot() }]
  if (each.is === 'dispatch_in_vain') return [{ is: 'dispatch_in_vain', units: each.units }]
  if (each.is === 'refund') return [each]
  if (each.is === 'refund_rest' || each.is === 'cancel_order') return [{ is: each.is }]
  const states = from[each.is]
  const able = Object.entries(order.parcels).filter(([, { state }]) => states.includes(state))
  const chosen = able[each.of % Math.max(1, able.length)]
  return chosen === undefined ? [] : [{ is: each.is, parcel: Number(chosen[0]) }]
}

const from: Readonly<Record<Extract<Action, { parcel: number }>['is'], readonly string[]>> = {
  cancel: ['made'],
  pick_up: ['made'],
  deliver: ['made', 'out'],
  return: ['out'],
  lose: ['out'],
}

interface Done {
  readonly action: Action
  readonly code: string
}

export function outcomesOf(order: Order, done: readonly Done[]): Order[] {
  if (done.length === 0) return [order]
  return done.flatMap(({ action, code }, index) => {
    const answer = act(order, action)
    return answer.code === code ? outcomesOf(answer.order, done.toSpliced(index, 1)) : []
  })
}

function isSame(one: Order, other: Order): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
