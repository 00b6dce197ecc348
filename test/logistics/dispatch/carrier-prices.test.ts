import { describe, expect, test } from 'vitest'
import type { ReplyBody } from '../../support/api.ts'
import { openLive, useLiveApi } from '../../support/logistics/live-run.ts'

/** What carriers charge, held to what they offered and to what the merchant would pay. */

const started = useLiveApi()

const chowdeckKobo = 200_050
const noPage = [502, '<html>Bad gateway</html>'] as const

/** What holds: what does not any more stays in the list, with when it ended. */
function toldOf({ exceptions }: ReplyBody): unknown[] {
  const holding = exceptions.filter(({ resolvedAt }: ReplyBody) => resolvedAt === null)
  return holding.map(({ code, amounts }: ReplyBody) => [code, amounts?.allowedKobo, amounts?.chargedKobo])
}

async function openChowdeck(ceilingKobo: number) {
  const run = await openLive(started(), 'chowdeck')
  const failover = { strategy: 'preferred', carriers: ['chowdeck'], maxPriceKobo: ceilingKobo }
  return { run, day: run.benches.chowdeck.server.day, dispatch: () => run.dispatch({ failover }) }
}

describe('a carrier that takes it for more than it may cost', () => {
  test('keeps it, and the merchant is told both figures', async () => {
    const { run, day, dispatch } = await openChowdeck(210_000)
    day.surchargeKobo = 20_000
    const { status, body } = await dispatch()
    expect([status, body.status, body.priceKobo]).toEqual([201, 'awaiting_courier', 220_050])
    expect(toldOf(body)).toEqual([['price_above_ceiling', 210_000, 220_050]])
    expect(body.exceptions[0].message).toMatch(/Chowdeck Relay it costs 220050 kobo, and it may cost 210000/)
    await run.pass(120, 60)
    expect(toldOf((await run.read(body.id)).body)).toEqual([['price_above_ceiling', 210_000, 220_050]])
  })

  test('is told of as well where the order is found by a look', async () => {
    const { run, day, dispatch } = await openChowdeck(210_000)
    day.surchargeKobo = 20_000
    run.benches.chowdeck.fail('create', { isAccepted: true, answer: noPage })
    const { body } = await dispatch()
    await run.pass(30)
    const found = (await run.read(body.id)).body
    expect([found.status, found.priceKobo]).toEqual(['awaiting_courier', 220_050])
    expect(toldOf(found)).toEqual([['price_above_ceiling', 210_000, 220_050]])
  })

  test('is told of once it says its price, where only a callback told that it has it', async () => {
    const { run, day, dispatch } = await openChowdeck(210_000)
    day.surchargeKobo = 20_000
    run.benches.chowdeck.fail('create', { isAccepted: true, answer: noPage })
    run.benches.chowdeck.fail('find', { isAccepted: true, answer: noPage })
    const { body } = await dispatch()
    expect(body.status).toBe('dispatching')
    const [delivery] = run.benches.chowdeck.server.deliveries
    if (delivery === undefined) throw new Error('Chowdeck took nothing.')
    await run.tell('chowdeck', run.benches.chowdeck.server.callback('ORDER_CREATED', delivery))
    await run.pass(120)
    const found = (await run.read(body.id)).body
    expect([found.status, found.priceKobo]).toEqual(['awaiting_courier', 220_050])
    expect(toldOf(found)).toEqual([['price_above_ceiling', 210_000, 220_050]])
  })

  test('is told of when it raises the price afterwards, and no more once it takes that back', async () => {
    const { run, dispatch } = await openChowdeck(210_000)
    const { body } = await dispatch()
    expect([body.priceKobo, toldOf(body)]).toEqual([chowdeckKobo, []])
    const [delivery] = run.benches.chowdeck.server.deliveries
    if (delivery === undefined) throw new Error('Chowdeck took nothing.')
    delivery.priceKobo = 230_000
    await run.pass(60, 60)
    const raised = (await run.read(body.id)).body
    expect([raised.priceKobo, raised.attempts[0].priceKobo]).toEqual([230_000, 230_000])
    expect(toldOf(raised)).toEqual([['price_above_ceiling', 210_000, 230_000]])
    delivery.priceKobo = 205_000
    await run.pass(60, 60)
    const lowered = (await run.read(body.id)).body
    expect([lowered.priceKobo, toldOf(lowered)]).toEqual([205_000, []])
    expect(lowered.exceptions).toMatchObject([{ ...raised.exceptions[0], resolvedAt: expect.stringMatching(/Z$/) }])
    delivery.priceKobo = 230_000
    await run.pass(60, 60)
    const again = (await run.read(body.id)).body
    expect([again.exceptions.length, toldOf(again)]).toEqual([1, [['price_above_ceiling', 210_000, 230_000]]])
  })
})

test('a carrier that holds no price may charge more up to what it may cost', async () => {
  const { day, dispatch } = await openChowdeck(300_000)
  day.surchargeKobo = 20_000
  const { body } = await dispatch()
  expect([body.quotedPriceKobo, body.priceKobo, toldOf(body)]).toEqual([chowdeckKobo, 220_050, []])
})

test('a carrier that holds its price and charges more is told of, however much it may cost', async () => {
  const run = await openLive(started(), 'shipbubble')
  const failover = { strategy: 'cheapest', maxPriceKobo: 10_000_000 }
  const { day } = run.benches.shipbubble.server
  day.surchargeNaira = 50
  const { body } = await run.dispatch({ failover })
  expect([body.quotedPriceKobo, body.priceKobo]).toEqual([215_075, 220_075])
  expect(toldOf(body)).toEqual([['price_above_offer', 215_075, 220_075]])
})

describe('calling off at Chowdeck, which says only what it gives back', () => {
  test('costs what it keeps, and more than was accepted is told with both figures', async () => {
    const { run, day, dispatch } = await openChowdeck(300_000)
    day.keptKobo = 30_000
    const { body } = await dispatch()
    const cancelled = await run.cancel(body.id, { maxFeeKobo: 10_000 })
    expect(cancelled.status, cancelled.text).toBe(200)
    expect(cancelled.body).toMatchObject({
      attempts: [{ cancellationFeeKobo: 30_000 }],
      cancellation: { status: 'cancelled', feeKobo: 30_000, refundKobo: chowdeckKobo - 30_000 },
    })
    expect(toldOf(cancelled.body)).toEqual([['cancellation_fee_above_accepted', 10_000, 30_000]])
    expect(cancelled.body.exceptions[0].message).toMatch(/charged 30000 kobo .* 10000 were accepted/)
  })

  test.each([
    [0, {}],
    [30_000, { maxFeeKobo: 30_000 }],
  ])('for %i that were accepted is told as the fee alone', async (keptKobo, more) => {
    const { run, day, dispatch } = await openChowdeck(300_000)
    day.keptKobo = keptKobo
    const { body } = await dispatch()
    const cancelled = (await run.cancel(body.id, more)).body
    expect([cancelled.cancellation.feeKobo, toldOf(cancelled)]).toEqual([keptKobo, []])
  })

  test('for want of a rider, its fee is told too: nobody had accepted any', async () => {
    const run = await openLive(started(), 'chowdeck', 'shipbubble')
    run.benches.chowdeck.server.day.keptKobo = 30_000
    const failover = { strategy: 'preferred', carriers: ['chowdeck', 'shipbubble'], maxPriceKobo: 10_000_000 }
    const { body } = await run.dispatch({ failover: { ...failover, assignTimeoutSeconds: 60 } })
    // It says that it has a rider whenever it is asked; the word is what counts.
    await run.pass(180, 10)
    const moved = (await run.read(body.id)).body
    expect(moved.carrier.code).toBe('shipbubble')
    expect(moved.attempts[0]).toMatchObject({ state: 'superseded', cancellationFeeKobo: 30_000 })
    expect(toldOf(moved)).toEqual([['cancellation_fee_above_accepted', 0, 30_000]])
  })
})

test('calling off at Shipbubble, which says nothing of money, leaves the fee open', async () => {
  const run = await openLive(started(), 'shipbubble')
  const { body } = await run.dispatch()
  const cancelled = await run.cancel(body.id)
  expect(cancelled.body).toMatchObject({
    status: 'cancelled',
    attempts: [{ cancellationFeeKobo: null }],
    cancellation: { status: 'cancelled', feeKobo: null, refundKobo: null },
  })
  expect(toldOf(cancelled.body)).toEqual([])
})
