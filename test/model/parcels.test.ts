import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { openTestShop } from '../support/logistics/parcel-run.ts'
import { ParcelsDriver } from './parcels-driver.ts'
import { type Action, act, type Order } from './parcels-model.ts'

/**
 * Splits one order over shipments with random concurrent requests, some of which are rejected, cancelled, lost or
 * returned. The result and the responses must equal the model's for some order of the requests.
 */

const started = useApi()

const quantities = [3, 2]

const units = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 })).filter((each) => each.some((count) => count > 0))

const wish = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('dispatch' as const), units }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('dispatch_rest' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('dispatch_in_vain' as const), units }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constantFrom('cancel', 'lose'), of: fc.nat() }),
  },
  { weight: 8, arbitrary: fc.record({ is: fc.constantFrom('pick_up', 'deliver', 'return'), of: fc.nat() }) },
)

type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never

test('units, stock and status of an order equal the sum of its shipments', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(wish, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 12 }),
      async (steps) => {
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
        }
      },
    ),
    { numRuns: 12 },
  )
}, 240_000)

test('the model explains no unit in two shipments', () => {
  const line = { quantity: 1, fulfilled: 0, returned: 0, onHand: 9, reserved: 1 }
  const order: Order = { status: 'processing', lines: [line], parcels: {} }
  const done = [0, 1].map((slot) => ({ action: { is: 'dispatch' as const, slot, units: [1] }, code: 'ok' }))
  expect(outcomesOf(order, done)).toEqual([])
  expect(outcomesOf(order, done.slice(1))).toHaveLength(1)
})

/**
 * Each shipment at most once. A request for the rest runs alone, because the rest is determined before other requests
 * end; so does a dispatch without a carrier, because it holds its units until the last rejection.
 */
function atOnce(actions: readonly Action[]): Action[] {
  const isAlone = ({ is }: Action) => is === 'dispatch_rest' || is === 'dispatch_in_vain'
  const [first] = actions
  if (first !== undefined && isAlone(first)) return [first]
  const parcels = new Set<number>()
  return actions.filter((action) => {
    if (isAlone(action)) return false
    if (!('parcel' in action)) return true
    if (parcels.has(action.parcel)) return false
    parcels.add(action.parcel)
    return true
  })
}

/** Only events that a carrier could report about an existing shipment. */
function actionOf(each: Wish, order: Order, nextSlot: () => number): Action[] {
  if (each.is === 'dispatch') return [{ is: 'dispatch', slot: nextSlot(), units: each.units }]
  if (each.is === 'dispatch_rest') return [{ is: 'dispatch_rest', slot: nextSlot() }]
  if (each.is === 'dispatch_in_vain') return [{ is: 'dispatch_in_vain', units: each.units }]
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

function outcomesOf(order: Order, done: readonly Done[]): Order[] {
  if (done.length === 0) return [order]
  return done.flatMap(({ action, code }, index) => {
    const answer = act(order, action)
    return answer.code === code ? outcomesOf(answer.order, done.toSpliced(index, 1)) : []
  })
}

function isSame(one: Order, other: Order): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
