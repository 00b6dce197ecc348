import { describe, expect, test } from 'vitest'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import {
  chowdeckErrors,
  type DocumentedError,
  type ExpectedOutcome,
  fezErrors,
  shipbubbleErrors,
} from '../../partners/carriers/documented-errors.ts'
import { expectActionable, type LiveRun, openLive, shipmentIdOf, useLiveApi } from '../../support/logistics/live-run.ts'

/**
 * Every documented error of every carrier. The test dispatches shipments over HTTP, and the worker checks these
 * shipments.
 */

const started = useLiveApi()

/** Advances the clock beyond the assignment timeout and the shipment checks that follow it. */
const passRestOfDay = async (run: LiveRun) => {
  await run.pass(180, 10)
  await run.pass(5 * 3_600, 600)
}

/** Returns the state and the outcome code that a dispatch attempt has after a response of the carrier. */
function attemptOf({ is, code, isOfSubCarrier }: ExpectedOutcome): readonly [state: string, code: string] {
  if (is === 'unknown') return ['not_found_at_carrier', 'order_not_found']
  if (isOfSubCarrier) return [is, 'sub_carrier_unavailable']
  return [is, code ?? is]
}

interface Case {
  readonly carrier: ConnectableCarrier
  readonly others: readonly ConnectableCarrier[]
  readonly error: Pick<DocumentedError<unknown>, 'call' | 'ends'>
  arrange(run: LiveRun): unknown
}

async function drive({ carrier, others, error: { call, ends }, arrange }: Case): Promise<void> {
  const run: LiveRun = await openLive(started(), carrier, ...others)
  const [other] = others
  if (call === 'quote') {
    await arrange(run)
    const { body } = await run.quote()
    expect(body.carriers).toContainEqual(expect.objectContaining({ carrier, message: expect.stringMatching(/\S/) }))
    // The fake carrier server gets the fault again, because some faults affect only one request.
    await arrange(run)
    const id = shipmentIdOf(await run.dispatch())
    const shipment = await expectActionable(run, id)
    if (other === undefined) expect(shipment.status).toBe('failed')
    else expect(shipment).toMatchObject({ status: 'awaiting_courier', carrier: { code: other } })
    await passRestOfDay(run)
    await expectActionable(run, id)
    return
  }
  const quote = (await run.quote()).body
  if (call === 'create') await arrange(run)
  const failover = { strategy: 'preferred', carriers: [carrier, ...others], maxPriceKobo: 10_000_000 }
  const dispatched = await run.dispatch({
    quoteId: quote.id,
    parcels: undefined,
    failover,
  })
  const id = shipmentIdOf(dispatched)
  if (call === 'create') {
    await run.pass(180, 10)
    const shipment = await expectActionable(run, id)
    const [first] = shipment.attempts
    expect([first.carrier, first.state, first.outcome.code]).toEqual([carrier, ...attemptOf(ends)])
    const isOver = other === undefined
    expect(shipment).toMatchObject(isOver ? { status: 'failed' } : { carrier: { code: other } })
    const isAboutMoney = ends.code === 'wallet_insufficient'
    expect(shipment.exceptions.map(({ code }: { code: string }) => code)).toEqual(
      isAboutMoney ? ['carrier_wallet_low'] : [],
    )
    return
  }
  expect(dispatched.body).toMatchObject({ status: 'awaiting_courier', carrier: { code: carrier } })
  await arrange(run)
  if (call === 'cancel') {
    const { status, body } = await run.cancel(id)
    if (ends.code === 'not_found') expect([status, body.status]).toEqual([200, 'cancelled'])
    else expect([status, body.error.code]).toEqual([409, 'shipment_not_cancellable'])
    await expectActionable(run, id)
  }
  await passRestOfDay(run)
  await expectActionable(run, id)
}

describe.each([[[]], [['shipbubble']]] as const)('chowdeck, with the failover carriers %j', (others) => {
  test.each(
    chowdeckErrors,
  )('if the carrier call $call ends with a documented error because $when, the shipment progresses or shows a reason or an exception', (error) =>
    drive({ carrier: 'chowdeck', others, error, arrange: ({ benches }) => error.arrange(benches.chowdeck.server) }))
})

describe.each([[[]], [['chowdeck']]] as const)('fez, with the failover carriers %j', (others) => {
  test.each(
    fezErrors,
  )('if the carrier call $call ends with a documented error because $when, the shipment progresses or shows a reason or an exception', (error) =>
    drive({ carrier: 'fez', others, error, arrange: ({ benches }) => error.arrange(benches.fez.server) }))
})

describe.each([[[]], [['chowdeck']]] as const)('shipbubble, with the failover carriers %j', (others) => {
  test.each(
    shipbubbleErrors,
  )('if the carrier call $call ends with a documented error because $when, the shipment progresses or shows a reason or an exception', (error) =>
    drive({ carrier: 'shipbubble', others, error, arrange: ({ benches }) => error.arrange(benches.shipbubble.server) }))
})
