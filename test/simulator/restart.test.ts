import { expect, test } from 'vitest'
import { dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import { stoppedClock } from '../../src/base/clock.ts'
import { useDatabase } from '../support/database.ts'
import {
  countOrders,
  granted,
  morningMs,
  newReference,
  noAccount,
  openSimulated,
  ordered,
  orderFor,
  patient,
  statusOf,
  wish,
} from './simulated.ts'

const opened = useDatabase()
const codes = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const

test('two simulator servers that share one database always return the same status of each simulated order', async () => {
  const clock = stoppedClock(morningMs)
  const one = await openSimulated(opened().connectionString, { clock })
  const two = await openSimulated(opened().connectionString, { clock })
  const names = []
  for (const code of codes) names.push({ code, ...(await ordered(one.carriers[code])) })
  for (let moment = 0; moment < 40; moment++) {
    for (const { code, ...name } of names) {
      const [here, there] = await Promise.all(
        [one, two].map(({ carriers }) => carriers[code].get(noAccount, name, patient())),
      )
      expect(there).toEqual(here)
    }
    clock.advance(23_457)
  }
  for (const { code, ...name } of names) expect(await statusOf(one.carriers[code], name)).toBe('delivered')
})

test('an offer that a simulated carrier made on one server can be accepted on another server at the offered price', async () => {
  const clock = stoppedClock(morningMs)
  const one = await openSimulated(opened().connectionString, { clock })
  const two = await openSimulated(opened().connectionString, { clock })
  for (const code of codes) {
    const order = await orderFor(one.carriers[code])
    const { priceKobo } = granted(await two.carriers[code].create(noAccount, order, patient()))
    expect(priceKobo).toBe(order.offer.priceKobo)
  }
})

test('if a simulated order is cancelled through one server, another server also shows the order as cancelled', async () => {
  const clock = stoppedClock(morningMs)
  const one = await openSimulated(opened().connectionString, { clock })
  const two = await openSimulated(opened().connectionString, { clock })
  const name = await ordered(one.carriers['simulator-swift'])
  granted(await two.carriers['simulator-swift'].cancel(noAccount, name, 'other', patient()))
  expect(await statusOf(one.carriers['simulator-swift'], name)).toBe('cancelled')
})

test('simulated orders progress with the clock even while no simulator server runs', async () => {
  const clock = stoppedClock(morningMs)
  const before = await openSimulated(opened().connectionString, { clock })
  const name = await ordered(before.carriers['simulator-swift'])
  await before.simulator.close()
  clock.advance(60_000)
  const after = await openSimulated(opened().connectionString, { clock })
  expect(await statusOf(after.carriers['simulator-swift'], name)).toBe('at_pickup')
})

test('on shutdown, the simulator closes connections whose requests have no response yet', async () => {
  const { carriers, simulator } = await openSimulated(opened().connectionString, {
    faults: { seed: 'any', rates: { timeout_before_acceptance: 1 } },
  })
  const order = await orderFor(carriers['simulator-swift'])
  const creating = carriers['simulator-swift'].create(noAccount, order, patient())
  const settled = creating.then(({ is }) => is)
  // The server reads requests in sequence. When it responds to this second quote request, it has already read the
  // preceding request, which creates an order and gets no response.
  await orderFor(carriers['simulator-swift'])
  await simulator.close()
  expect(await settled).toBe('unknown')
})

test('the simulator deletes orders after 35 days, not earlier', async () => {
  const { carriers, simulator, clock, database } = await openSimulated(opened().connectionString)
  const old = await ordered(carriers['simulator-saver'])
  clock.advance(1_000)
  const young = await ordered(carriers['simulator-saver'])
  const left = async () => [await countOrders(database, old.reference), await countOrders(database, young.reference)]
  clock.advance(35 * 24 * 3_600_000 - 1_000)
  await simulator.tick()
  expect(await left()).toEqual([1, 1])
  clock.advance(500)
  await simulator.tick()
  // The simulated carrier deletes old orders only once an hour.
  expect(await left()).toEqual([1, 1])
  const { simulator: another } = await openSimulated(opened().connectionString, { clock })
  await another.tick()
  expect(await left()).toEqual([0, 1])
  clock.advance(3_600_000)
  await simulator.tick()
  expect(await left()).toEqual([0, 0])
})

test('the simulator stores no name and no phone number', async () => {
  const { carriers, database } = await openSimulated(opened().connectionString)
  const { reference } = await ordered(carriers['simulator-swift'])
  const { rows } = await database.pool.query(
    'select simulated_orders::text as row from simulated_orders where reference = $1',
    [reference],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].row).not.toMatch(/Adaeze|Admiralty|8029876543|8031234567|example\.com/)
})

test('the simulator applies random faults at their configured rates, and the same seed and reference always get the same fault', async () => {
  const rates = { couriers_busy: 0.2, server_error: 0.1, malformed_answer: 0.1, never_assigned: 0.1 }
  const outcomesOf = async (seed: string, references: readonly string[]) => {
    const { carriers } = await openSimulated(opened().connectionString, { faults: { seed, rates } })
    const carrier = carriers['simulator-saver']
    const order = await orderFor(carrier)
    const outcomes = await Promise.all(
      references.map((reference) => carrier.create(noAccount, { ...order, reference }, patient())),
    )
    return outcomes.map((outcome) => (outcome.is === 'unknown' ? outcome.cause : outcome.is))
  }
  const references = Array.from({ length: 150 }, () => newReference())
  const first = await outcomesOf('one', references)
  expect(await outcomesOf('one', references)).toEqual(first)
  expect(await outcomesOf('two', references)).not.toEqual(first)
  const share = (wanted: string) => first.filter((outcome) => outcome === wanted).length / first.length
  // The tolerance of the comparison is five standard deviations, which a correct result exceeds once in a million runs.
  expect(Math.abs(share('refused') - 0.2)).toBeLessThan(0.17)
  expect(Math.abs(share('server_error') - 0.1)).toBeLessThan(0.13)
  expect(Math.abs(share('bad_response') - 0.1)).toBeLessThan(0.13)
})

test('the simulator applies no random faults to an order with a test phone number, even if the number selects no fault', async () => {
  const { carriers } = await openSimulated(opened().connectionString, {
    faults: { seed: 'any', rates: { couriers_busy: 1 } },
  })
  const carrier = carriers['simulator-swift']
  expect(await carrier.create(noAccount, await orderFor(carrier), patient())).toMatchObject({ code: 'couriers_busy' })
  const untroubled = await orderFor(carrier, wish({ recipientPhone: `${dispatchPhonePrefix}000` }))
  expect(await carrier.create(noAccount, untroubled, patient())).toMatchObject({ is: 'ok' })
})
