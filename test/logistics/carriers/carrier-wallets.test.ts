import { describe, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { resolveException } from '../../../src/logistics/cancellation/resolve-exception.ts'
import { answers } from '../../support/answers.ts'
import type { Reply, ReplyBody } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { expectActionable, openLive, shipmentIdOf, useLiveApi } from '../../support/logistics/live-run.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { operator } from '../../support/shop.ts'

/**
 * Problems with a carrier account that only the merchant can solve: an empty wallet, invalid credentials, a
 * disconnected account.
 */

const started = useLiveApi()

const codesOf = ({ exceptions }: ReplyBody) => exceptions.map(({ code }: { code: string }) => code)
/**
 * Codes of the shipment exceptions about money. The code courier_late is left out: a shipment that waits for payment
 * also gets this exception, but the exception is not about money.
 */
const moneyCodes = ['carrier_wallet_low', 'duplicate_dispatch', 'possible_duplicate']
const aboutMoney = ({ exceptions }: ReplyBody) => exceptions.filter(({ code }: ReplyBody) => moneyCodes.includes(code))
const attemptsOf = ({ attempts }: ReplyBody) =>
  attempts.map(({ carrier, state, outcome }: ReplyBody) => [carrier, state, outcome.code])

describe('an order that Fez holds until the wallet is funded', () => {
  test('if Fez holds an order for lack of wallet funds, the dispatch fails over to the next carrier, and the exceptions carrier_wallet_low and duplicate_dispatch are raised', async () => {
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
    expect(known.exceptions[1].message).toContain('Contact Fez Delivery')
    // A carrier charges nothing for an order that no rider ever carries.
    expect(known.attempts[0]).toMatchObject({ state: 'abandoned', duplicateCostKobo: 0 })
    await run.pass(5 * 3_600, 1_800)
    expect(aboutMoney((await run.read(body.id)).body)).toEqual(known.exceptions)
  })

  test.each([
    [true, { state: 'late_cancelled', outcome: { code: 'late_acceptance' }, duplicateCostKobo: 0 }],
    [false, { state: 'late_cancelled', outcome: { code: 'late_acceptance' }, duplicateCostKobo: 0 }],
  ])('a Fez order is deleted at Fez if it is funded only after the failover (next carrier has picked up the parcel: %s)', async (isFetched, ends) => {
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
    expect(codesOf({ exceptions: aboutMoney({ exceptions }) })).toEqual(['carrier_wallet_low', 'duplicate_dispatch'])
  })

  test('if the wallet is never funded, the Fez order costs nothing, and its shipment does not get the exception tracking_stalled', async () => {
    const run = await openLive(started(), 'fez', 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.fez.server.move('Pending Payment')
    await run.pass(360, 10)
    await run.pass(26 * 3_600, 1_800)
    const { attempts, exceptions } = (await run.read(body.id)).body
    expect(attempts[0]).toMatchObject({ outcome: { code: 'wallet_insufficient' }, duplicateCostKobo: 0 })
    expect(codesOf({ exceptions: aboutMoney({ exceptions }) })).toEqual(['carrier_wallet_low', 'duplicate_dispatch'])
  })

  test('if the Fez wallet lacks funds and no other carrier is left, the shipment stays with Fez, and continues once the wallet is funded', async () => {
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

test('the exception about an empty wallet names both carriers when two wallets are empty', async () => {
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

test('while a carrier account is paused because its wallet declined payment repeatedly, dispatches still report the empty wallet', async () => {
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

test('a dispatch returns no_carrier_available when one carrier’s wallet is empty and the other carrier rejects the order', async () => {
  const run = await openLive(started(), 'chowdeck', 'fez')
  run.benches.chowdeck.fail('create', { isAccepted: false, answer: [400, '{"status":"error","message":"No riders"}'] })
  run.benches.fez.server.day.isWalletEmpty = true
  answers('dispatchShipment', 'no_carrier_available', await run.dispatch())
})

describe('a disconnected carrier', () => {
  test('a dispatch attempt of unknown outcome at a disconnected carrier raises the exception outcome_unknown, then the shipment fails', async () => {
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

  test('an accepted shipment of a disconnected carrier raises the exception carrier_not_connected until the carrier is connected again', async () => {
    const run = await openLive(started(), 'shipbubble')
    const { body } = await run.dispatch()
    await run.disconnect('shipbubble')
    await run.pass(300, 60)
    const reported = await expectActionable(run, body.id)
    expect([reported.status, codesOf(reported)]).toEqual(['awaiting_courier', ['carrier_not_connected']])
    const cancelled = await run.cancel(body.id)
    expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelling'])
    await run.pass(300, 60)
    expect((await run.read(body.id)).body.status).toBe('cancelling')
    await run.connect('shipbubble')
    await run.pass(120, 10)
    expect((await expectActionable(run, body.id)).status).toBe('cancelled')
  })
})

describe('credentials that cannot be decrypted', () => {
  /** Flips one bit of a merchant's encrypted carrier credentials. */
  const corrupt = (merchantId: string) =>
    select(
      started(),
      `update carrier_accounts
       set sealed_credentials = set_byte(sealed_credentials, octet_length(sealed_credentials) - 1,
         get_byte(sealed_credentials, octet_length(sealed_credentials) - 1) # 1)
       where merchant_id = $1`,
      [merchantId],
    )

  test('carrier credentials that cannot be decrypted are reported by a quote and by a dispatch', async () => {
    const run = await openLive(started(), 'chowdeck')
    await corrupt(run.shop.merchantId)
    expect((await run.quote()).body.carriers).toEqual([
      {
        carrier: 'chowdeck',
        status: 'error',
        message: expect.stringContaining('Connect the carrier again'),
        latencyMs: 0,
      },
    ])
    const reply = await run.dispatch()
    expect([reply.status, reply.body.error.message]).toEqual([
      503,
      expect.stringContaining('Connect the carrier again'),
    ])
    await expectActionable(run, shipmentIdOf(reply))
  })

  test('carrier credentials that cannot be decrypted raise the exception carrier_not_connected for an accepted shipment', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch()
    await corrupt(run.shop.merchantId)
    await run.pass(120, 60)
    expect(codesOf(await expectActionable(run, body.id))).toEqual(['carrier_not_connected'])
    // The service cannot decrypt the secret in the credentials, so it cannot verify the sender of a callback.
    expect((await run.sendCallback('chowdeck', run.benches.chowdeck.callback())).status).toBe(401)
  })
})

test('a dispatch without any connected carrier returns 503, and its message names the reason', async () => {
  const run = await openLive(started())
  const reply = await run.dispatch({ failover: undefined })
  expect([reply.status, reply.body.error.message]).toEqual([
    503,
    expect.stringContaining('None of the allowed carriers is connected'),
  ])
})

test('the exception about an empty wallet ends when another carrier has delivered the parcel', async () => {
  const run = await openLive(started(), 'fez', 'chowdeck')
  run.benches.fez.server.day.isWalletEmpty = true
  const { body } = await run.dispatch()
  expect(body).toMatchObject({
    carrier: { code: 'chowdeck' },
    exceptions: [{ code: 'carrier_wallet_low', resolvedAt: null }],
  })
  const key = { merchantId: run.shop.merchantId, id: ShipmentId.parse(body.id) }
  await applyUpdate(run.api, run.shop, key, { status: 'delivered' }, { attemptNumber: 2 })
  const delivered = (await run.read(body.id)).body
  expect(delivered).toMatchObject({ status: 'delivered', exceptions: [{ resolvedAt: expect.any(String) }] })
})

test('a member resolves the exception about an empty wallet of a failed shipment after the wallet was funded', async () => {
  const run = await openLive(started(), 'chowdeck')
  run.benches.chowdeck.server.day.isWalletEmpty = true
  const id = ShipmentId.parse(shipmentIdOf(await run.dispatch()))
  const solved = { id, code: 'carrier_wallet_low', reason: 'Funded.' } as const
  expect(await resolveException(run.api.context, operator, run.shop.tenant, solved)).toEqual({ is: 'resolved' })
  expect((await run.read(id)).body.exceptions).toMatchObject([{ resolvedAt: expect.any(String) }])
})

test('the exception about an empty wallet cannot be resolved by a member while the carrier holds the order until the wallet is funded', async () => {
  const run = await openLive(started(), 'fez')
  const id = ShipmentId.parse((await run.dispatch()).body.id)
  run.benches.fez.server.move('Pending Payment')
  await run.pass(60, 10)
  const solved = { id, code: 'carrier_wallet_low', reason: 'Seen.' } as const
  expect(await resolveException(run.api.context, operator, run.shop.tenant, solved)).toEqual({ is: 'still_needed' })
  const held = (await run.read(id)).body
  expect(held).toMatchObject({ status: 'awaiting_courier', exceptions: [{ code: solved.code, resolvedAt: null }] })
})
