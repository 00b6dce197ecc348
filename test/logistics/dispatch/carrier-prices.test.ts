import { describe, expect, test } from 'vitest'
import type { ReplyBody } from '../../support/api.ts'
import { openLive, useLiveApi } from '../../support/logistics/live-run.ts'

/** Prices that carriers charge, compared with the offered price and the price ceiling. */

const started = useLiveApi()

const chowdeckKobo = 200_050
const noPage = [502, '<html>Bad gateway</html>'] as const

/** Returns the open exceptions of a shipment. The shipment also lists its resolved exceptions, with a resolvedAt. */
function openExceptionsOf({ exceptions }: ReplyBody): unknown[] {
  const open = exceptions.filter(({ resolvedAt }: ReplyBody) => resolvedAt === null)
  return open.map(({ code, amounts }: ReplyBody) => [code, amounts?.allowedKobo, amounts?.chargedKobo])
}

async function openChowdeck(ceilingKobo: number) {
  const run = await openLive(started(), 'chowdeck')
  const failover = { strategy: 'preferred', carriers: ['chowdeck'], maxPriceKobo: ceilingKobo }
  return { run, day: run.benches.chowdeck.server.day, dispatch: () => run.dispatch({ failover }) }
}

describe('a carrier that charges more than the price ceiling', () => {
  test('if the carrier charges more than the price ceiling, the carrier’s order continues, and the exception price_above_ceiling contains the charge and the ceiling', async () => {
    const { run, day, dispatch } = await openChowdeck(210_000)
    day.surchargeKobo = 20_000
    const { status, body } = await dispatch()
    expect([status, body.status, body.priceKobo]).toEqual([201, 'awaiting_courier', 220_050])
    expect(openExceptionsOf(body)).toEqual([['price_above_ceiling', 210_000, 220_050]])
    expect(body.exceptions[0].message).toMatch(/Chowdeck Relay charges ₦2,200.50, but the price ceiling is ₦2,100.00/)
    await run.pass(120, 60)
    expect(openExceptionsOf((await run.read(body.id)).body)).toEqual([['price_above_ceiling', 210_000, 220_050]])
  })

  test('if the carrier’s response is lost and a lookup finds the accepted order, a price above the ceiling still raises the exception price_above_ceiling', async () => {
    const { run, day, dispatch } = await openChowdeck(210_000)
    day.surchargeKobo = 20_000
    run.benches.chowdeck.fail('create', { isAccepted: true, answer: noPage })
    const { body } = await dispatch()
    await run.pass(30)
    const found = (await run.read(body.id)).body
    expect([found.status, found.priceKobo]).toEqual(['awaiting_courier', 220_050])
    expect(openExceptionsOf(found)).toEqual([['price_above_ceiling', 210_000, 220_050]])
  })

  test('after a callback has reported the carrier’s acceptance, price_above_ceiling is raised as soon as the carrier’s price is known', async () => {
    const { run, day, dispatch } = await openChowdeck(210_000)
    day.surchargeKobo = 20_000
    run.benches.chowdeck.fail('create', { isAccepted: true, answer: noPage })
    run.benches.chowdeck.fail('find', { isAccepted: true, answer: noPage })
    const { body } = await dispatch()
    expect(body.status).toBe('dispatching')
    const [delivery] = run.benches.chowdeck.server.deliveries
    if (delivery === undefined) throw new Error('Chowdeck has no delivery.')
    await run.sendCallback('chowdeck', run.benches.chowdeck.server.callback('ORDER_CREATED', delivery))
    await run.pass(120)
    const found = (await run.read(body.id)).body
    expect([found.status, found.priceKobo]).toEqual(['awaiting_courier', 220_050])
    expect(openExceptionsOf(found)).toEqual([['price_above_ceiling', 210_000, 220_050]])
  })

  test('the exception price_above_ceiling is raised when the carrier increases the price later, and resolved when the carrier reduces the price', async () => {
    const { run, dispatch } = await openChowdeck(210_000)
    const { body } = await dispatch()
    expect([body.priceKobo, openExceptionsOf(body)]).toEqual([chowdeckKobo, []])
    const [delivery] = run.benches.chowdeck.server.deliveries
    if (delivery === undefined) throw new Error('Chowdeck has no delivery.')
    delivery.priceKobo = 230_000
    await run.pass(60, 60)
    const raised = (await run.read(body.id)).body
    expect([raised.priceKobo, raised.attempts[0].priceKobo]).toEqual([230_000, 230_000])
    expect(openExceptionsOf(raised)).toEqual([['price_above_ceiling', 210_000, 230_000]])
    delivery.priceKobo = 205_000
    await run.pass(60, 60)
    const lowered = (await run.read(body.id)).body
    expect([lowered.priceKobo, openExceptionsOf(lowered)]).toEqual([205_000, []])
    expect(lowered.exceptions).toMatchObject([{ ...raised.exceptions[0], resolvedAt: expect.stringMatching(/Z$/) }])
    delivery.priceKobo = 230_000
    await run.pass(60, 60)
    const again = (await run.read(body.id)).body
    expect([again.exceptions.length, openExceptionsOf(again)]).toEqual([1, [['price_above_ceiling', 210_000, 230_000]]])
  })
})

test('a carrier without fixed prices may charge up to the price ceiling', async () => {
  const { day, dispatch } = await openChowdeck(300_000)
  day.surchargeKobo = 20_000
  const { body } = await dispatch()
  expect([body.quotedPriceKobo, body.priceKobo, openExceptionsOf(body)]).toEqual([chowdeckKobo, 220_050, []])
})

test('the exception price_above_offer is raised when a carrier with fixed prices charges more than its offer, even below the ceiling', async () => {
  const run = await openLive(started(), 'shipbubble')
  const failover = { strategy: 'cheapest', maxPriceKobo: 10_000_000 }
  const { day } = run.benches.shipbubble.server
  day.surchargeNaira = 50
  const { body } = await run.dispatch({ failover })
  expect([body.quotedPriceKobo, body.priceKobo]).toEqual([215_075, 220_075])
  expect(openExceptionsOf(body)).toEqual([['price_above_offer', 215_075, 220_075]])
})

describe('cancelling at Chowdeck, which returns only the refunded amount', () => {
  test('a cancellation fee above maxFeeKobo opens a shipment exception that states the fee and maxFeeKobo', async () => {
    const { run, day, dispatch } = await openChowdeck(300_000)
    day.keptKobo = 30_000
    const { body } = await dispatch()
    const cancelled = await run.cancel(body.id, { maxFeeKobo: 10_000 })
    expect(cancelled.status, cancelled.text).toBe(200)
    expect(cancelled.body).toMatchObject({
      attempts: [{ cancellationFeeKobo: 30_000 }],
      cancellation: { status: 'cancelled', feeKobo: 30_000, refundKobo: chowdeckKobo - 30_000 },
    })
    expect(openExceptionsOf(cancelled.body)).toEqual([['cancellation_fee_above_accepted', 10_000, 30_000]])
    expect(cancelled.body.exceptions[0].message).toMatch(
      /charged a cancellation fee of ₦300.00, but the accepted maximum was ₦100.00/,
    )
  })

  test.each([
    [0, {}],
    [30_000, { maxFeeKobo: 30_000 }],
  ])('a cancellation fee of %i kobo within maxFeeKobo opens no shipment exception', async (keptKobo, more) => {
    const { run, day, dispatch } = await openChowdeck(300_000)
    day.keptKobo = keptKobo
    const { body } = await dispatch()
    const cancelled = (await run.cancel(body.id, more)).body
    expect([cancelled.cancellation.feeKobo, openExceptionsOf(cancelled)]).toEqual([keptKobo, []])
  })

  test('a cancellation at Chowdeck after an assignment timeout opens a shipment exception for any fee, because the merchant accepted no fee', async () => {
    const run = await openLive(started(), 'chowdeck', 'shipbubble')
    run.benches.chowdeck.server.day.keptKobo = 30_000
    const failover = { strategy: 'preferred', carriers: ['chowdeck', 'shipbubble'], maxPriceKobo: 10_000_000 }
    const { body } = await run.dispatch({ failover: { ...failover, assignTimeoutSeconds: 60 } })
    // Every response of Chowdeck to a poll contains a rider, but only the status "assigned" counts as an assignment.
    await run.pass(180, 10)
    const moved = (await run.read(body.id)).body
    expect(moved.carrier.code).toBe('shipbubble')
    expect(moved.attempts[0]).toMatchObject({ state: 'superseded', cancellationFeeKobo: 30_000 })
    expect(openExceptionsOf(moved)).toEqual([['cancellation_fee_above_accepted', 0, 30_000]])
  })
})

test('the cancellation fee is null after a cancellation at Shipbubble, because Shipbubble returns no amounts', async () => {
  const run = await openLive(started(), 'shipbubble')
  const { body } = await run.dispatch()
  const cancelled = await run.cancel(body.id)
  expect(cancelled.body).toMatchObject({
    status: 'cancelled',
    attempts: [{ cancellationFeeKobo: null }],
    cancellation: { status: 'cancelled', feeKobo: null, refundKobo: null },
  })
  expect(openExceptionsOf(cancelled.body)).toEqual([])
})
