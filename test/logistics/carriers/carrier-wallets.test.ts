import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import type { Reply, ReplyBody } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { expectActionable, openLive, shipmentIdOf, useLiveApi } from '../../support/logistics/live-run.ts'

/** What only the merchant can mend: money, credentials, and an account that is gone. */

const started = useLiveApi()

const codesOf = ({ exceptions }: ReplyBody) => exceptions.map(({ code }: { code: string }) => code)
/** Of those that tell of money; that nobody comes for it then is told too. */
const moneyCodes = ['carrier_wallet_low', 'duplicate_dispatch', 'possible_duplicate']
const ofMoney = ({ exceptions }: ReplyBody) => exceptions.filter(({ code }: ReplyBody) => moneyCodes.includes(code))
const attemptsOf = ({ attempts }: ReplyBody) =>
  attempts.map(({ carrier, state, outcome }: ReplyBody) => [carrier, state, outcome.code])

describe('an order that Fez lets stand until the wallet is funded', () => {
  test('is left for the next carrier, and both facts are told', async () => {
    const run = await openLive(started(), 'fez', 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.fez.server.move('Pending Payment')
    await run.pass(60, 10)
    const moved = (await run.read(body.id)).body
    expect(attemptsOf(moved)).toEqual([
      ['fez', 'abandoned', 'wallet_insufficient'],
      ['chowdeck', 'accepted', 'accepted'],
    ])
    expect(moved).toMatchObject({ status: 'awaiting_courier', carrier: { code: 'chowdeck' } })
    expect(codesOf(moved)).toEqual(['carrier_wallet_low'])
    await run.pass(300, 10)
    const known = await expectActionable(run, body.id)
    expect(codesOf(known)).toEqual(['carrier_wallet_low', 'duplicate_dispatch'])
    expect(known.exceptions[1].message).toContain('call Fez Delivery')
    // An order that is never carried costs nothing.
    expect(known.attempts[0]).toMatchObject({ state: 'abandoned', duplicateCostKobo: 0 })
    await run.pass(5 * 3_600, 1_800)
    expect(ofMoney((await run.read(body.id)).body)).toEqual(known.exceptions)
  })

  test.each([
    [true, { state: 'late_cancelled', outcome: { code: 'late_acceptance' }, duplicateCostKobo: 0 }],
    [false, { state: 'late_cancelled', outcome: { code: 'late_acceptance' }, duplicateCostKobo: 0 }],
  ])('and is paid for late, the next having fetched it being %s, is deleted at Fez', async (isFetched, ends) => {
    const run = await openLive(started(), 'fez', 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.fez.server.move('Pending Payment')
    await run.pass(360, 10)
    if (isFetched) run.benches.chowdeck.pickUp()
    await run.pass(120, 60)
    expect((await run.read(body.id)).body.attempts[0].duplicateCostKobo).toBe(0)
    run.benches.fez.server.move('Pending Pick-Up', '2026-11-21 14:00:00')
    await run.pass(2 * 3_600, 600)
    const { attempts, exceptions } = (await run.read(body.id)).body
    expect(attempts[0]).toMatchObject(ends)
    expect(codesOf({ exceptions: ofMoney({ exceptions }) })).toEqual(['carrier_wallet_low', 'duplicate_dispatch'])
  })

  test('and is never paid for, costs nothing, and nobody is told that the carrier said nothing', async () => {
    const run = await openLive(started(), 'fez', 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.fez.server.move('Pending Payment')
    await run.pass(360, 10)
    await run.pass(26 * 3_600, 1_800)
    const { attempts, exceptions } = (await run.read(body.id)).body
    expect(attempts[0]).toMatchObject({ outcome: { code: 'wallet_insufficient' }, duplicateCostKobo: 0 })
    expect(codesOf({ exceptions: ofMoney({ exceptions }) })).toEqual(['carrier_wallet_low', 'duplicate_dispatch'])
  })

  test('waits where there is nobody else, and goes on once it is paid', async () => {
    const run = await openLive(started(), 'fez')
    const { body } = await run.dispatch()
    run.benches.fez.server.move('Pending Payment')
    await run.pass(3 * 3_600, 600)
    const waiting = await expectActionable(run, body.id)
    expect(attemptsOf(waiting)).toEqual([['fez', 'accepted', 'wallet_insufficient']])
    expect(codesOf(waiting)).toEqual(['carrier_wallet_low'])
    expect(waiting.timeline.length).toBeLessThan(12)
    run.benches.fez.server.move('Pending Pick-Up', '2026-11-21 12:00:00')
    await run.pass(120, 60)
    expect(attemptsOf((await run.read(body.id)).body)).toEqual([['fez', 'accepted', 'accepted']])
    run.benches.fez.server.move('Picked-Up', '2026-11-21 12:30:00')
    await run.pass(120, 60)
    expect((await expectActionable(run, body.id)).status).toBe('picked_up')
  })
})

test('two wallets that are empty are told of both', async () => {
  const run = await openLive(started(), 'chowdeck', 'fez')
  run.benches.chowdeck.server.day.isWalletEmpty = true
  run.benches.fez.server.day.isWalletEmpty = true
  const reply = await run.dispatch()
  answers('dispatchShipment', 'carrier_wallet_insufficient', reply)
  expect(reply.body.error.details.attempts).toMatchObject([
    { carrier: 'chowdeck', code: 'wallet_insufficient' },
    { carrier: 'fez', code: 'wallet_insufficient' },
  ])
  const shipment = await expectActionable(run, shipmentIdOf(reply))
  expect(shipment.exceptions.map(({ message }: ReplyBody) => message).join()).toMatch(/Chowdeck.*Fez/)
})

test('a wallet that was declined again and again is told as empty still, though its carrier is left alone', async () => {
  const run = await openLive(started(), 'chowdeck')
  run.benches.chowdeck.server.day.isWalletEmpty = true
  const replies: Reply[] = []
  for (let index = 0; index < 6; index++) replies.push(await run.dispatch())
  for (const reply of replies) answers('dispatchShipment', 'carrier_wallet_insufficient', reply)
  const states = replies.map(({ body }) => body.error.details.attempts[0].state)
  expect([states[0], states[5]]).toEqual(['refused', 'skipped'])
  const last = await expectActionable(run, shipmentIdOf(await run.dispatch()))
  expect(codesOf(last)).toEqual(['carrier_wallet_low'])
})

test('one wallet that is empty, and a carrier that will not for another reason, is no matter of money alone', async () => {
  const run = await openLive(started(), 'chowdeck', 'fez')
  run.benches.chowdeck.fail('create', { isAccepted: false, answer: [400, '{"status":"error","message":"No riders"}'] })
  run.benches.fez.server.day.isWalletEmpty = true
  answers('dispatchShipment', 'no_carrier_available', await run.dispatch())
})

describe('a carrier that is disconnected', () => {
  test('while it is not known whether it took the shipment: the merchant is told whom to ask', async () => {
    const run = await openLive(started(), 'chowdeck', 'shipbubble')
    const { chowdeck } = run.benches
    chowdeck.fail('create', { isAccepted: true, answer: [502, '<html>Bad gateway</html>'] })
    chowdeck.fail('find', { isAccepted: true, answer: [502, '<html>Bad gateway</html>'] })
    const { status, body } = await run.dispatch()
    expect(status).toBe(202)
    await run.disconnect('chowdeck')
    await run.pass(300, 10)
    const parked = await expectActionable(run, body.id)
    expect([parked.status, codesOf(parked)]).toEqual(['dispatching', ['outcome_unknown']])
    await run.pass(25 * 3_600, 1_800)
    const after = await expectActionable(run, body.id)
    expect(attemptsOf(after)).toEqual([['chowdeck', 'abandoned', 'server_error']])
    expect([after.status, after.statusReason.code]).toEqual(['failed', 'outcome_unknown'])
  })

  test('while it has the shipment: the merchant is told, and connecting it again is enough', async () => {
    const run = await openLive(started(), 'shipbubble')
    const { body } = await run.dispatch()
    await run.disconnect('shipbubble')
    await run.pass(300, 60)
    const told = await expectActionable(run, body.id)
    expect([told.status, codesOf(told)]).toEqual(['awaiting_courier', ['carrier_not_connected']])
    const cancelled = await run.cancel(body.id)
    expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelling'])
    await run.pass(300, 60)
    expect((await run.read(body.id)).body.status).toBe('cancelling')
    await run.connect('shipbubble')
    await run.pass(120, 10)
    expect((await expectActionable(run, body.id)).status).toBe('cancelled')
  })
})

describe('credentials that do not open', () => {
  /** One bit of the seal is another. */
  const spoil = (merchantId: string) =>
    select(
      started(),
      `update carrier_accounts
       set sealed_credentials = set_byte(sealed_credentials, octet_length(sealed_credentials) - 1,
         get_byte(sealed_credentials, octet_length(sealed_credentials) - 1) # 1)
       where merchant_id = $1`,
      [merchantId],
    )

  test('are said of a quote and of a dispatch', async () => {
    const run = await openLive(started(), 'chowdeck')
    await spoil(run.shop.merchantId)
    expect((await run.quote()).body.carriers).toEqual([
      { carrier: 'chowdeck', status: 'error', message: expect.stringContaining('connect it again'), latencyMs: 0 },
    ])
    const reply = await run.dispatch()
    expect([reply.status, reply.body.error.message]).toEqual([503, expect.stringContaining('connect it again')])
    await expectActionable(run, shipmentIdOf(reply))
  })

  test('are said of a shipment that is under way', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch()
    await spoil(run.shop.merchantId)
    await run.pass(120, 60)
    expect(codesOf(await expectActionable(run, body.id))).toEqual(['carrier_not_connected'])
    // Nobody can tell who calls back, as the secret is among them.
    expect((await run.tell('chowdeck', run.benches.chowdeck.callback())).status).toBe(401)
  })
})

test('a merchant without any carrier is told so', async () => {
  const run = await openLive(started())
  const reply = await run.dispatch({ failover: undefined })
  expect([reply.status, reply.body.error.message]).toEqual([503, expect.stringContaining('No carrier is connected')])
})
