import { expect, test } from 'vitest'
import { stoppedClock } from '../../src/base/clock.ts'
import { useDatabase } from '../support/database.ts'
import {
  granted,
  morningMs,
  noAccount,
  openSimulated,
  ordered,
  orderFor,
  patient,
  statusOf,
  stepMsOf,
  wish,
} from './simulated.ts'

const opened = useDatabase()

async function open(code: 'simulator-swift' | 'simulator-steady' | 'simulator-saver', steps: number) {
  const { carriers, clock } = await openSimulated(opened().connectionString)
  const carrier = carriers[code]
  const name = await ordered(carrier)
  clock.advance(steps * stepMsOf(carrier))
  const cancel = () => carrier.cancel(noAccount, name, 'customer_request', patient())
  return { carrier, name, clock, cancel }
}

test.for([
  ['simulator-swift', 0, 0],
  ['simulator-swift', 1, 50_000],
  ['simulator-swift', 2, 50_000],
  ['simulator-steady', 0, 0],
  ['simulator-steady', 1, 0],
] as const)('cancelling an order of the simulated carrier %s after %i delivery steps costs %i kobo', async ([
  code,
  steps,
  feeKobo,
]) => {
  const { carrier, name, clock, cancel } = await open(code, steps)
  const cancellation = granted(await cancel())
  expect(cancellation).toMatchObject({ is: 'cancelled', feeKobo })
  expect(await statusOf(carrier, name)).toBe('cancelled')
  clock.advance(24 * 3_600_000)
  expect(await statusOf(carrier, name)).toBe('cancelled')
  // A cancellation of a carrier order is idempotent: if it is repeated, no further fee is charged.
  expect(granted(await cancel())).toEqual(cancellation)
})

test.for([
  ['simulator-swift', 3],
  ['simulator-swift', 7],
  ['simulator-steady', 2],
  ['simulator-saver', 0],
] as const)('cancelling an order of the simulated carrier %s after %i delivery steps is rejected, and the order continues', async ([
  code,
  steps,
]) => {
  const { carrier, name, clock, cancel } = await open(code, steps)
  expect(await cancel()).toMatchObject({ is: 'refused', code: 'not_cancellable' })
  clock.advance(24 * 3_600_000)
  expect(await statusOf(carrier, name)).toBe('delivered')
})

test('each simulated carrier declares the status until which an order can be cancelled', async () => {
  const { carriers } = await openSimulated(opened().connectionString)
  expect(Object.values(carriers).map(({ capabilities }) => capabilities.cancelUntil)).toEqual([
    'at_pickup',
    'courier_assigned',
    undefined,
  ])
})

test('two concurrent cancellations of an order at a simulated carrier cancel the order only once', async () => {
  const { carriers, database, clock } = await openSimulated(opened().connectionString)
  const behind = stoppedClock(morningMs + 29_999)
  const { carriers: others } = await openSimulated(opened().connectionString, { clock: behind })
  const name = await ordered(carriers['simulator-swift'])
  clock.advance(30_000)
  const other = await database.pool.connect()
  await other.query('begin; select 1 from simulated_orders for update')
  const cancelling = [carriers, others].map((each) =>
    each['simulator-swift'].cancel(noAccount, name, 'customer_request', patient()),
  )
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect
    .poll(async () => (await database.pool.query(waiting)).rows.length, { timeout: 120_000, interval: 10 })
    .toBe(2)
  await other.query('rollback')
  other.release()
  const [one, two] = await Promise.all(cancelling)
  // For one of the two cancellations, a rider was already assigned; for the other, no rider was assigned yet. The
  // request that arrived first determined the fee for both.
  expect(two).toEqual(one)
})

test('after a cancellation at a simulated carrier, the refund is the price minus the cancellation fee', async () => {
  const { carriers, clock } = await openSimulated(opened().connectionString)
  const carrier = carriers['simulator-swift']
  const order = await orderFor(carrier)
  const { carrierReference, priceKobo } = granted(await carrier.create(noAccount, order, patient()))
  clock.advance(30_000)
  const name = { carrierReference, reference: order.reference }
  const { feeKobo, refundKobo } = granted(await carrier.cancel(noAccount, name, 'other', patient()))
  expect(feeKobo).toBe(50_000)
  expect(refundKobo).toBe((priceKobo ?? 0) - 50_000)
})

test('a cancellation at a simulated carrier returns not_found for an unknown order', async () => {
  const { carriers } = await openSimulated(opened().connectionString)
  const unknown = { carrierReference: 'SW-0000000000', reference: 'shp_0-1' }
  const carrier = carriers['simulator-swift']
  expect(await carrier.cancel(noAccount, unknown, 'other', patient())).toMatchObject({
    is: 'refused',
    code: 'not_found',
  })
  expect(await carrier.get(noAccount, unknown, patient())).toMatchObject({ is: 'refused', code: 'not_found' })
})

test('a cancellation at a simulated carrier returns not_found for an order of another carrier', async () => {
  const { carriers } = await openSimulated(opened().connectionString)
  const name = await ordered(carriers['simulator-swift'], wish())
  expect(await carriers['simulator-steady'].get(noAccount, name, patient())).toMatchObject({ code: 'not_found' })
})
