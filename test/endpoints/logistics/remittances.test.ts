import { beforeEach, expect, test } from 'vitest'
import { remittancesShownMax } from '../../../registry/values/limits.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newRemittanceId } from '../../../src/base/records.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** Remittances: transfers of collected cash from carriers to the merchant. */

const started = useApi()

let shop: Shop
beforeEach(async () => {
  shop = await openShop(started().context)
})

const path = '/api/v1/logistics/remittances'
const get = async () => (await started().send('GET', path, { token: shop.token })).body
const record = (more: object = {}, headers: Record<string, string> = {}) => {
  const body = { carrier: 'simulator-swift', amountKobo: 300, reference: 'FBN-1', ...more }
  return started().send('POST', path, { token: shop.token, body, headers })
}

/** Delivers a shipment that belongs to no order. The rider of the shipment collects the amount. */
async function collect(amountKobo: number, carrier = 'simulator-swift'): Promise<void> {
  const key = await storeShipment(started(), shop, {
    codAmountKobo: toKobo(amountKobo),
    carrier,
    attempts: [{ carrier }],
  })
  await applyUpdate(started(), shop, key, { status: 'delivered', cashKobo: toKobo(amountKobo) })
}

const swift = { carrier: 'simulator-swift', carrierName: 'Simulator Swift', currency: 'NGN' }

test('getRemittances returns the cash totals of each carrier that has collected cash, and an empty list before the first collection', async () => {
  expect(await get()).toEqual({ carriers: [], remittances: [] })
  await collect(700)
  await collect(300)
  await collect(50, 'simulator-steady')
  expect(await get()).toEqual({
    carriers: [
      {
        carrier: 'simulator-steady',
        carrierName: 'Simulator Steady',
        currency: 'NGN',
        collectedKobo: 50,
        remittedKobo: 0,
        outstandingKobo: 50,
      },
      { ...swift, collectedKobo: 1000, remittedKobo: 0, outstandingKobo: 1000 },
    ],
    remittances: [],
  })
})

test('recordRemittance reduces the cash that the carrier owes, and adds an audit row', async () => {
  await collect(1000)
  const receivedAt = toTimestamp(started().clock.nowMs())
  started().clock.advance(3_600_000)
  const { status, body } = await record({ receivedAt: receivedAt.replace('Z', '+00:00') })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      ...{ carrier: 'simulator-swift', amountKobo: 300, reference: 'FBN-1', currency: 'NGN' },
      receivedAt,
      cash: { collectedKobo: 1000, remittedKobo: 300, outstandingKobo: 700 },
    },
  })
  const { cash: _, ...recorded } = body
  expect(await get()).toEqual({
    carriers: [{ ...swift, collectedKobo: 1000, remittedKobo: 300, outstandingKobo: 700 }],
    remittances: [{ ...recorded, voidedAt: null, voidReason: null }],
  })
  expect(await auditRows(started(), shop.merchantId)).toContainEqual(
    expect.objectContaining({
      ...{ action: 'remittance.record', resource_id: body.id },
      changes: expect.objectContaining({ amountKobo: [null, 300], outstandingKobo: [1000, 700] }),
    }),
  )
})

test('the receivedAt of a remittance defaults to the time of the request', async () => {
  await collect(1000)
  const { body } = await record()
  expect(body.receivedAt).toBe(body.createdAt)
})

const minuteMs = 60_000

test.for([
  ['in 1999', () => '1999-12-31T23:59:59Z'],
  ['in 2099', () => '2099-01-01T00:00:00Z'],
  ['a minute before the merchant', (createdMs: number) => toTimestamp(createdMs - minuteMs)],
  [
    'five minutes and a millisecond ahead',
    (_: number, nowMs: number) => new Date(nowMs + 5 * minuteMs + 1).toISOString(),
  ],
] as const)('recordRemittance returns 409 received_at_out_of_range for a receivedAt %s, with the accepted range, and records nothing', async ([
  ,
  timeOf,
]) => {
  const { clock } = started()
  const createdMs = clock.nowMs()
  shop = await openShop(started().context)
  await collect(1000)
  clock.advance(30 * minuteMs)
  const before = await contentsOf(started())
  const reply = await record({ receivedAt: timeOf(createdMs, clock.nowMs()) })
  answers('recordRemittance', 'received_at_out_of_range', reply)
  const { earliest, latest } = reply.body.error.details
  expect(Date.parse(earliest)).toBe(Math.floor(createdMs / minuteMs) * minuteMs)
  expect(Date.parse(latest)).toBe(clock.nowMs() + 5 * minuteMs)
  expect(await contentsOf(started())).toEqual(before)
  expect((await record({ receivedAt: earliest })).status).toBe(200)
  expect((await record({ receivedAt: latest, reference: 'FBN-2' })).status).toBe(200)
})

test('a second remittance with the same reference is rejected, even for another carrier', async () => {
  await collect(1000)
  await collect(1000, 'simulator-steady')
  const { body } = await record()
  answers('recordRemittance', 'remittance_reference_in_use', await record())
  const other = await record({ carrier: 'simulator-steady' })
  expect(other.body.error.details).toEqual({ existingId: body.id })
  expect((await record({ reference: 'FBN-2' })).status).toBe(200)
})

test('a remittance above the cash that the carrier owes is rejected', async () => {
  const none = await record()
  answers('recordRemittance', 'remittance_exceeds_outstanding', none)
  expect(none.body.error.details).toEqual({ outstandingKobo: 0 })
  await collect(300)
  expect((await record({ amountKobo: 301 })).body.error.details).toEqual({ outstandingKobo: 300 })
  expect((await record()).body.cash.outstandingKobo).toBe(0)
  expect((await record({ amountKobo: 1, reference: 'FBN-2' })).status).toBe(409)
})

test('a concurrent remittance is rejected if it exceeds the cash that the carrier owes, or if its reference is already used', async () => {
  await collect(700)
  const replies = await Promise.all(['A', 'A', 'B', 'C'].map((reference) => record({ reference })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
  expect((await get()).carriers).toMatchObject([{ remittedKobo: 600, outstandingKobo: 100 }])
  expect(await select(started(), 'select id from remittances where merchant_id = $1', [shop.merchantId])).toHaveLength(
    2,
  )
})

test('only one of two concurrent remittances of different carriers with the same reference is recorded', async () => {
  await collect(700)
  await collect(700, 'simulator-steady')
  const replies = await Promise.all([record(), record({ carrier: 'simulator-steady' })])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a dry run of recordRemittance changes nothing', async () => {
  await collect(700)
  const before = await contentsOf(started())
  const { status, body } = await record({}, { 'Service-Dry-Run': 'true' })
  expect({ status, cash: body.cash }).toEqual({
    status: 200,
    cash: { collectedKobo: 700, remittedKobo: 300, outstandingKobo: 400 },
  })
  expect(await contentsOf(started())).toEqual(before)
})

const voidIt = (id: string, reason = 'wrong_amount', headers: Record<string, string> = {}) =>
  started().send('POST', `${path}/${id}/void`, { token: shop.token, body: { reason }, headers })

test('recordRemittance returns 404 carrier_not_found for a code that no carrier has', async () => {
  answers('recordRemittance', 'carrier_not_found', await record({ carrier: 'nope' }))
})

test('getRemittances lists the newest remittances first, up to a limit', async () => {
  await collect(1000)
  await record({ amountKobo: 1, reference: 'FBN-1' })
  await select(
    started(),
    `insert into remittances (merchant_id, id, carrier, amount_kobo, reference, received_at, created_at)
      select merchant_id, left(id, -4) || lpad(n::text, 4, '0'), carrier, 1, 'FBN-' || (n + 1), received_at, created_at
      from remittances cross join generate_series(1, $2::integer) n where merchant_id = $1`,
    [shop.merchantId, remittancesShownMax],
  )
  const { remittances } = await get()
  const ids = remittances.map(({ id }: { id: string }) => id)
  expect(ids).toHaveLength(remittancesShownMax)
  expect(ids).toEqual(ids.toSorted().toReversed())
})

test('voidRemittance adds the voided amount to the cash that the carrier owes, and the remittance’s reference can be recorded again', async () => {
  await collect(1000)
  const { body: wrong } = await record({ amountKobo: 900 })
  started().clock.advance(1000)
  const now = new Date(started().clock.nowMs()).toISOString()
  const reply = await voidIt(wrong.id)
  const voided = { voidedAt: now, voidReason: 'wrong_amount' }
  const cash = { collectedKobo: 1000, remittedKobo: 0, outstandingKobo: 1000 }
  expect([reply.status, reply.body]).toEqual([200, { ...wrong, ...voided, cash }])
  const { status, body: corrected } = await record({ amountKobo: 90 })
  expect(status).toBe(200)
  const { carriers, remittances } = await get()
  expect(carriers).toEqual([{ ...swift, collectedKobo: 1000, remittedKobo: 90, outstandingKobo: 910 }])
  expect(remittances).toMatchObject([
    { id: corrected.id, voidedAt: null, voidReason: null },
    { id: wrong.id, amountKobo: 900, ...voided },
  ])
  expect(await auditRows(started(), shop.merchantId)).toContainEqual(
    expect.objectContaining({
      ...{ action: 'remittance.void', resource_id: wrong.id },
      changes: { voidReason: [null, 'wrong_amount'], outstandingKobo: [100, 1000] },
    }),
  )
})

test('five concurrent requests void a remittance only once, and a dry run of voidRemittance voids nothing', async () => {
  await collect(1000)
  const { body } = await record()
  expect((await voidIt(body.id, 'duplicate', { 'service-dry-run': 'true' })).body.cash.outstandingKobo).toBe(1000)
  expect((await get()).carriers).toMatchObject([{ outstandingKobo: 700 }])
  const replies = await Promise.all(Array.from({ length: 5 }, () => voidIt(body.id)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  answers('voidRemittance', 'remittance_already_voided', await voidIt(body.id))
  expect((await get()).carriers).toMatchObject([{ remittedKobo: 0, outstandingKobo: 1000 }])
})

test('voidRemittance returns 404 remittance_not_found for an unknown id and for one of another merchant', async () => {
  await collect(1000)
  const { body } = await record()
  shop = await openShop(started().context)
  for (const id of [body.id, newRemittanceId(0)]) answers('voidRemittance', 'remittance_not_found', await voidIt(id))
})
