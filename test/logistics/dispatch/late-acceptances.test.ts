import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { openLogistics } from '../../../src/logistics/carriers/context.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import type { StoredAttempt } from '../../../src/store/tables/shipment.ts'
import { useApi, vault } from '../../support/api.ts'
import { carriersOf, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import {
  readShipment,
  type ShipmentOptions,
  storedOffer,
  storeShipment,
  testModeOf,
} from '../../support/logistics/shipment.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/**
 * Dispatch attempts that the service abandoned or did not find at the carrier, and what happens when the carrier
 * accepts them later.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = testModeOf(await openShop(started().context))
})

const minuteMs = 60_000

/**
 * Creates a shipment with a dispatch attempt that was abandoned an hour ago and whose next lookup at the carrier is
 * due.
 */
async function open(attempt: Partial<StoredAttempt>, options: ShipmentOptions) {
  const api = started()
  const carrier = testCarrier('simulator-swift')
  const context = openLogistics({ ...api.context, log: silentLog, vault, carriers: carriersOf(carrier) })
  const inMinutes = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * minuteMs)
  const startedAt = inMinutes(-60)
  const abandoned = { state: 'abandoned', startedAt, nextCheckAt: inMinutes(0), monitorUntil: inMinutes(60) } as const
  const key = await storeShipment(api, shop, { ...options, attempts: [{ ...abandoned, ...attempt }] })
  return {
    carrier,
    key,
    inMinutes,
    startedAt,
    check: () => checkDueShipments(context),
    read: () => readShipment(api, key),
  }
}

const offer = {
  ...storedOffer(toTimestamp(0)),
  pickupMinutes: { p50: 10, p90: 20 },
  dropoffMinutes: { p50: 30, p90: 50 },
}

test('when the service finds a carrier’s late acceptance, the shipment’s estimates are measured from the time of the dispatch request', async () => {
  const { carrier, inMinutes, check, read } = await open({ offer }, { status: 'dispatching', carrier: null })
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
  await check()
  const { shipment } = await read()
  expect(shipment).toMatchObject({
    status: 'awaiting_courier',
    pickupEstimate: { p50: inMinutes(-50), p90: inMinutes(-40) },
    deliveryEstimate: { p50: inMinutes(-30), p90: inMinutes(-10) },
    // Timeouts and measured times start at the time at which the service found the late acceptance.
    acceptedAt: inMinutes(0),
  })
})

test('after a carrier has accepted late, the shipment has the carrier’s own delivery estimate, and the attempt has no cancellation fee any more', async () => {
  const cancelling = { offer, cancelFeeKobo: toKobo(30_000) }
  const { carrier, inMinutes, check, read } = await open(cancelling, { status: 'dispatching', carrier: null })
  const dropoffAt = { p50: inMinutes(5), p90: inMinutes(9) }
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned', dropoffAt }) }
  await check()
  const { shipment, attempts } = await read()
  expect(shipment).toMatchObject({ status: 'awaiting_courier', deliveryEstimate: dropoffAt })
  expect(attempts).toMatchObject([{ state: 'accepted', cancelFeeKobo: null }])
})

test('an abandoned dispatch attempt at a carrier that has no order lookup raises the exception possible_duplicate once', async () => {
  const steadyMessage = 'Simulator Steady never confirmed the shipment, and has no lookup.'
  const at = toTimestamp(started().clock.nowMs())
  const { check, read, inMinutes } = await open(
    { carrierReference: null, monitorUntil: at, carrier: 'simulator-swift' },
    {
      status: 'failed',
      exceptions: [{ code: 'possible_duplicate', carrier: 'simulator-steady', message: steadyMessage, at }],
    },
  )
  await check()
  const warned = (await read()).shipment.exceptions
  expect(warned).toMatchObject([
    { code: 'possible_duplicate', message: steadyMessage },
    { code: 'possible_duplicate', cause: 'never_answered', carrier: 'simulator-swift', at: inMinutes(0) },
  ])
})

test('while the exception possible_duplicate of a dispatch attempt is open, a check does not raise it again, even with a different message', async () => {
  const at = toTimestamp(started().clock.nowMs())
  const message = 'Simulator Swift never confirmed the shipment.'
  const exceptions = [{ code: 'possible_duplicate', carrier: 'simulator-swift', message, at }] as const
  const { check, read } = await open({ carrierReference: null, monitorUntil: at }, { status: 'failed', exceptions })
  await check()
  expect((await read()).shipment.exceptions).toEqual(exceptions)
})

test('if the carrier does not confirm the cancellation of a late-accepted order, possible_duplicate stays open until the order is cancelled', async () => {
  const { carrier, check, read } = await open(
    { state: 'not_found_at_carrier', carrierReference: 'SW-LATE' },
    { status: 'delivered', carrier: 'simulator-steady' },
  )
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
  const uncertain = { is: 'unknown', cause: 'server_error', message: 'Internal error' } as const
  let cancelRequests = 0
  carrier.cancel = async () => {
    cancelRequests += 1
    return uncertain
  }
  await check()
  const raised = (await read()).shipment.exceptions
  expect(raised).toMatchObject([
    {
      code: 'possible_duplicate',
      cause: 'cancellation_unconfirmed',
      carrier: 'simulator-swift',
      attemptNumber: 1,
      facts: { carrierReference: 'SW-LATE' },
    },
  ])
  started().clock.advance(minuteMs)
  await check()
  expect(cancelRequests).toBe(2)
  expect((await read()).shipment.exceptions).toEqual(raised)
  carrier.cancel = async () => ({
    is: 'ok',
    value: { is: 'cancelled', feeKobo: undefined, refundKobo: undefined },
  })
  started().clock.advance(minuteMs)
  await check()
  const { shipment, attempts } = await read()
  expect(attempts).toMatchObject([{ state: 'late_cancelled' }])
  expect(shipment.exceptions).toMatchObject([{ code: 'possible_duplicate', resolvedAt: expect.any(String) }])
})

test('when the monitoring of a late acceptance ends, the service cancels the carrier’s order once more, raises possible_duplicate and stops checking the order', async () => {
  const at = toTimestamp(started().clock.nowMs())
  const { carrier, check, read } = await open(
    { state: 'not_found_at_carrier', carrierReference: 'SW-LAST', monitorUntil: at },
    { status: 'delivered', carrier: 'simulator-steady' },
  )
  carrier.answer = { is: 'ok', value: tracking({ status: 'awaiting_courier' }) }
  let cancelRequests = 0
  carrier.cancel = async () => {
    cancelRequests += 1
    return { is: 'ok', value: { is: 'requested', feeKobo: undefined, refundKobo: undefined } }
  }
  await check()
  const { shipment, attempts } = await read()
  expect(cancelRequests).toBe(1)
  expect(shipment.exceptions).toMatchObject([{ code: 'possible_duplicate', facts: { carrierReference: 'SW-LAST' } }])
  expect(attempts).toMatchObject([{ state: 'not_found_at_carrier', nextCheckAt: null }])
})

test('if a shipment was already cancelled, the fee for cancelling a late acceptance is added to the cancellation fee of the shipment', async () => {
  const { carrier, check, read } = await open(
    { state: 'abandoned', carrierReference: 'SW-FEE' },
    { status: 'cancelled', cancelFeeKobo: null },
  )
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
  carrier.cancel = async () => ({
    is: 'ok',
    value: { is: 'cancelled', feeKobo: toKobo(30_000), refundKobo: undefined },
  })
  await check()
  expect((await read()).shipment.cancelFeeKobo).toBe(30_000)
})

describe('the cancellation fee of a late acceptance of a cancelled shipment', () => {
  const feesKobo = { courier_assigned: 50_000 }

  async function lateAcceptance(cancelMaxFeeKobo: number, options: ShipmentOptions = {}) {
    const cancelled = { status: 'cancelled', cancelMaxFeeKobo: toKobo(cancelMaxFeeKobo), ...options } as const
    const carrierReference = `SW-FEE-${cancelMaxFeeKobo}`
    const late = await open({ state: 'abandoned', carrierReference }, cancelled)
    Object.assign(late.carrier.capabilities, { cancellationFeesKobo: feesKobo })
    late.carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
    const requests: string[] = []
    late.carrier.cancel = async (_account, { carrierReference: requested }) => {
      requests.push(requested)
      return { is: 'ok', value: { is: 'cancelled', feeKobo: toKobo(50_000), refundKobo: undefined } }
    }
    await late.check()
    return { ...late, requests }
  }

  test('an order that the carrier accepted late is not cancelled if its cancellation fee exceeds the accepted fee, and one exception reports both fees', async () => {
    const { requests, read, check } = await lateAcceptance(49_999)
    expect(requests).toEqual([])
    const { shipment, attempts } = await read()
    expect(shipment).toMatchObject({ status: 'cancelled', cancelFeeKobo: null })
    expect(shipment.exceptions).toMatchObject([
      {
        code: 'cancellation_fee_above_accepted',
        cause: 'order_kept',
        attemptNumber: 1,
        facts: { carrierReference: 'SW-FEE-49999' },
        amounts: { allowedKobo: 49_999, chargedKobo: 50_000 },
      },
    ])
    expect(attempts).toMatchObject([{ state: 'abandoned', outcomeCode: 'late_acceptance', nextCheckAt: null }])
    started().clock.advance(minuteMs)
    await check()
    expect((await read()).shipment.exceptions).toHaveLength(1)
  })

  test('an order that the carrier accepted late is cancelled, without an exception, if its cancellation fee is at most the accepted fee', async () => {
    const { requests, read } = await lateAcceptance(50_000)
    expect(requests).toEqual(['SW-FEE-50000'])
    expect((await read()).shipment).toMatchObject({ cancelFeeKobo: 50_000, exceptions: [] })
  })

  test('if the shipment is already delivered, the carrier order that was accepted late is cancelled, and an exception reports the cancellation fee that the carrier charged', async () => {
    const { requests, read } = await lateAcceptance(0, { status: 'delivered', carrier: 'simulator-steady' })
    expect(requests).toEqual(['SW-FEE-0'])
    expect((await read()).shipment.exceptions).toMatchObject([
      { code: 'cancellation_fee_above_accepted', amounts: { allowedKobo: 0, chargedKobo: 50_000 } },
    ])
  })
})

test('a late acceptance resolves only the exception of its own dispatch attempt, regardless of the exception’s message', async () => {
  const at = toTimestamp(started().clock.nowMs())
  const message = 'possible_duplicate'
  const warning = { code: 'possible_duplicate', carrier: 'simulator-swift', message, at } as const
  const { carrier, check, read } = await open(
    {},
    {
      status: 'dispatching',
      carrier: null,
      exceptions: [
        { ...warning, attemptNumber: 1 },
        { ...warning, attemptNumber: 7 },
      ],
    },
  )
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
  await check()
  const { shipment } = await read()
  expect(shipment.exceptions.map(({ attemptNumber, resolvedAt }) => [attemptNumber, resolvedAt !== undefined])).toEqual(
    [
      [1, true],
      [7, false],
    ],
  )
})
