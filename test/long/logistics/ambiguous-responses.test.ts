import { describe, expect, test } from 'vitest'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type { Bench } from '../../partners/carriers/benches.ts'
import { commonDoubts, commonRefusals } from '../../partners/carriers/documented-errors.ts'
import {
  expectActionable,
  type LiveRun,
  openLive,
  resetBreakers,
  shipmentIdOf,
  useLiveApi,
} from '../../support/logistics/live-run.ts'

const started = useLiveApi()

const pairs = [
  ['chowdeck', 'shipbubble'],
  ['fez', 'chowdeck'],
  ['shipbubble', 'chowdeck'],
] as const satisfies readonly (readonly [ConnectableCarrier, ConnectableCarrier])[]

async function open(...codes: readonly ConnectableCarrier[]) {
  const run: LiveRun = await openLive(started(), ...codes)
  const [bench, other] = codes.map((code): Bench => run.benches[code])
  if (bench === undefined || other === undefined) throw new Error('Two carriers are needed.')
  return { run, bench, other }
}

describe.each(pairs)('ambiguous responses of %s, before %s', (code, behind) => {
  test('ambiguous responses of one carrier to a quote request do not affect the offers of other carriers', async () => {
    const { run, bench } = await open(code, behind)
    for (const [when, answer] of commonDoubts) {
      resetBreakers()
      // Each fault is simulated twice, because the HTTP client sends a request a second time if the request fails on a
      // reused connection.
      bench.fail('quote', { isAccepted: true, answer }, { isAccepted: true, answer })
      const { status, body } = await run.dispatch()
      expect([status, body.carrier?.code], when).toEqual([201, behind])
      // Sends quote requests until the fake carrier server has no fault left.
      await run.quote()
      await run.quote()
    }
  })

  test.each(
    commonRefusals,
  )('a dispatch does not repeat a request to create a carrier order after %s', async (_when, fault, ends) => {
    const { run, bench } = await open(code, behind)
    const { body: quote } = await run.quote()
    bench.fail('create', fault, fault)
    const id = shipmentIdOf(await run.dispatch({ quoteId: quote.id, parcels: undefined }))
    const shipment = await expectActionable(run, id)
    const [first, second] = shipment.attempts
    expect([first.state, first.outcome.code]).toEqual([ends.is, ends.code ?? ends.is])
    expect([second.carrier, second.state]).toEqual([behind, 'accepted'])
    expect(bench.accepted()).toEqual([])
  })

  describe.each([true, false])('a request to create a carrier order (accepted by the carrier: %s)', (isAccepted) => {
    test.each(
      commonDoubts,
    )('a dispatch looks up the order at the carrier before any other request when the create request ends with %s', async (_when, answer, cause) => {
      const { run, bench, other } = await open(code, behind)
      bench.fail('create', { isAccepted, answer })
      const { status, body } = await run.dispatch()
      expect([201, 202]).toContain(status)
      await run.pass(180, 10)
      const shipment = await expectActionable(run, body.id)
      const [first] = shipment.attempts
      expect(shipment.status).toBe('awaiting_courier')
      // At Fez, a lookup repeats the create request, so it either finds the order or creates it.
      const isFound = isAccepted || code === 'fez'
      expect([first.state, shipment.carrier.code]).toEqual(
        isFound ? ['accepted', code] : ['not_found_at_carrier', behind],
      )
      expect([bench.held().length, other.held().length]).toEqual(isFound ? [1, 0] : [0, 1])
      expect(shipment.exceptions).toEqual([])
      expect(shipment.timeline.map(({ description }: { description: string }) => description).join()).toMatch(
        cause === 'timeout' ? /timeout/ : /It is unknown whether .* accepted the shipment/,
      )
    })

    test('if no lookup confirms that the carrier created an order, the shipment ends with one rider or with an exception', async () => {
      const { run, bench } = await open(code, behind)
      const never = Array.from(
        { length: 400 },
        () => ({ isAccepted, answer: [502, '<html>Bad gateway</html>'] }) as const,
      )
      bench.fail('create', ...(code === 'fez' ? never : never.slice(0, 4)))
      bench.fail('find', ...never)
      const { body } = await run.dispatch()
      await run.pass(20 * 60, 30)
      const early = (await run.read(body.id)).body
      // Fez charges when an order is created, and it is not verified that Fez can cancel an order. The service
      // therefore waits until the outcome of the dispatch attempt is known.
      expect(early.status).toBe(code === 'fez' ? 'dispatching' : 'awaiting_courier')
      await run.pass(25 * 3_600, 1_800)
      const late = await expectActionable(run, body.id)
      if (code === 'fez') {
        expect([late.attempts.length, late.status, late.statusReason.code]).toEqual([1, 'failed', 'outcome_unknown'])
      } else expect([late.attempts[0].carrier, late.attempts[1]?.carrier]).toEqual([code, behind])
    })
  })

  test('ambiguous lookup responses of a carrier change nothing, and its next clear response determines the shipment’s status', async () => {
    const { run, bench } = await open(code, behind)
    const failover = { strategy: 'preferred', carriers: [code, behind], assignTimeoutSeconds: 24 * 3_600 }
    const { body } = await run.dispatch({ failover })
    for (const [when, answer] of commonDoubts) {
      resetBreakers()
      bench.fail('get', { isAccepted: true, answer })
      // The shipment has the service level next-day and is dispatched in the evening, so the service polls it every two
      // minutes. Two minutes pass here, so that each fault affects a poll.
      await run.pass(120, 60)
      expect((await run.read(body.id)).body.status, when).toBe('awaiting_courier')
    }
    resetBreakers()
    bench.pickUp()
    await run.pass(180, 60)
    expect((await expectActionable(run, body.id)).status).toBe('picked_up')
  })
})

describe.each([
  ['chowdeck', 'fez'],
  ['shipbubble', 'fez'],
] as const)('cancelling at %s', (code, behind) => {
  describe.each([true, false])('a cancellation (accepted by the carrier: %s)', (isAccepted) => {
    // For a successful response, Shipbubble's documentation describes only the envelope and not the fields.
    const doubts = commonDoubts.filter(([when]) => !(code === 'shipbubble' && when.includes('documented fields')))
    test.each(
      doubts,
    )('after the fault “%s”, the cancellation of a carrier’s order is retried until the carrier confirms the cancellation', async (_when, answer) => {
      const { run, bench } = await open(code, behind)
      const { body } = await run.dispatch()
      bench.fail('cancel', { isAccepted, answer })
      const cancelled = await run.cancel(body.id)
      expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelling'])
      await run.pass(120, 10)
      expect((await expectActionable(run, body.id)).status).toBe('cancelled')
      expect(bench.held()).toEqual([])
    })
  })
})
