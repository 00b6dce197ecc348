import { describe, expect, test } from 'vitest'
import type { ReplyBody } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { expectActionable, type LiveRun, openLive, useLiveApi } from '../../support/logistics/live-run.ts'

/** Shipments whose delivery makes no progress: the timeouts, the polling intervals and the exceptions. */

const started = useLiveApi()

const exceptionsOf = ({ exceptions }: ReplyBody) =>
  exceptions.map(({ code, resolvedAt }: ReplyBody) => [code, resolvedAt !== null])

const gone = { isAccepted: false, answer: [502, '<html>Bad gateway</html>'] } as const

async function auditsOf({ api }: Pick<LiveRun, 'api'>, id: string): Promise<number> {
  const [row] = await select(api, 'select count(*)::int as count from audit_log where resource_id = $1', [id])
  return row.count
}

describe('a carrier that never reports a rider', () => {
  test('the order stays with a carrier that never reports a rider, and courier_late is raised once the parcel has not been picked up for two days', async () => {
    const run = await openLive(started(), 'shipbubble', 'chowdeck')
    const { body } = await run.dispatch()
    expect(body.carrier.code).toBe('shipbubble')
    await run.pass(40 * 3_600, 3_600)
    const waiting = await expectActionable(run, body.id)
    expect([waiting.status, waiting.carrier.code, waiting.attempts.length]).toEqual([
      'awaiting_courier',
      'shipbubble',
      1,
    ])
    expect(waiting.exceptions).toEqual([])
    await run.pass(10 * 3_600, 3_600)
    const late = await expectActionable(run, body.id)
    expect([late.carrier.code, exceptionsOf(late)]).toEqual(['shipbubble', [['courier_late', false]]])
    run.benches.shipbubble.pickUp()
    await run.pass(2 * 3_600, 3_600)
    const fetched = await expectActionable(run, body.id)
    expect([fetched.status, exceptionsOf(fetched)]).toEqual(['picked_up', [['courier_late', true]]])
    expect(run.benches.chowdeck.accepted()).toEqual([])
  })
})

describe('an assignment timeout without another carrier', () => {
  test('if no other carrier is left, an expired assignment timeout starts again, and only the first expiry adds a timeline entry', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch()
    for (const hours of [1, 1, 4]) {
      await run.pass(hours * 3_600, 300)
      const [row] = await select(
        run.api,
        'select assign_deadline as due from dispatch_attempts where shipment_id = $1',
        [body.id],
      )
      expect(Date.parse(row.due) - run.api.clock.nowMs()).toBeLessThanOrEqual(600_000)
    }
    const waiting = await expectActionable(run, body.id)
    const entries = waiting.timeline.filter(({ description }: ReplyBody) => description.includes('assigned in time'))
    expect(entries).toHaveLength(1)
    expect(exceptionsOf(waiting)[0]).toEqual(['courier_late', false])
  })

  // A long test timeout: the worker runs some 300 shipment checks one after another.
  test('a shipment whose status does not change is polled at growing intervals, and at the usual interval again after a tracking update', {
    timeout: 180_000,
  }, async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch({ failover: { strategy: 'preferred', assignTimeoutSeconds: 24 * 3_600 } })
    run.benches.chowdeck.server.deliveries[0] = { ...latestOf(run), status: 'ORDER_ASSIGNED' }
    const { server } = run.benches.chowdeck
    const asksIn = async (hours: number, stepSeconds: number) => {
      const before = server.asked('read')
      await run.pass(hours * 3_600, stepSeconds)
      return server.asked('read') - before
    }
    for (const [steps, seconds] of [
      [60, 20],
      [20, 40],
      [20, 80],
      [20, 160],
    ] as const)
      await run.pass(steps * seconds, seconds)
    // If the service polled the carrier every 20 seconds, it would send 360 requests in two hours.
    expect(await asksIn(2, 120)).toBeLessThan(30)
    await asksIn(26, 1_200)
    expect(await asksIn(12, 1_200)).toBeLessThanOrEqual(14)
    expect(exceptionsOf((await run.read(body.id)).body)).toEqual([['courier_late', false]])
    run.benches.chowdeck.pickUp()
    await asksIn(2, 600)
    expect((await run.read(body.id)).body.status).toBe('picked_up')
    expect(await asksIn(1, 60)).toBeGreaterThan(40)
    await run.pass(3 * 3_600, 600)
    expect(exceptionsOf((await run.read(body.id)).body)).toEqual([
      ['courier_late', true],
      ['tracking_stalled', false],
    ])
    server.deliveries[0] = { ...latestOf(run), status: 'ORDER_COMPLETE' }
    await run.pass(3_600, 600)
    const end = await expectActionable(run, body.id)
    expect([end.status, exceptionsOf(end)]).toEqual([
      'delivered',
      [
        ['courier_late', true],
        ['tracking_stalled', true],
      ],
    ])
  })
})

function latestOf(run: LiveRun<'chowdeck'>) {
  const delivery = run.benches.chowdeck.server.deliveries.at(-1)
  if (delivery === undefined) throw new Error('Chowdeck has no delivery.')
  return delivery
}

describe('an unknown outcome', () => {
  test('while the outcome of a dispatch attempt is unknown, each check looks up the order at the carrier, until the carrier responds', async () => {
    const run = await openLive(started(), 'fez')
    run.benches.fez.fail('create', { ...gone, isAccepted: true }, gone, gone, gone)
    // Order lookups fail until the first shipment check after the exception outcome_unknown was raised.
    run.benches.fez.fail('find', ...Array.from({ length: 10 }, () => gone))
    const { body } = await run.dispatch()
    await run.pass(16 * 60, 30)
    const parked = (await run.read(body.id)).body
    expect([parked.status, exceptionsOf(parked)]).toEqual(['dispatching', [['outcome_unknown', false]]])
    await run.pass(6 * 60, 30)
    const found = await expectActionable(run, body.id)
    expect([found.status, exceptionsOf(found)]).toEqual(['awaiting_courier', [['outcome_unknown', true]]])
    expect(run.benches.fez.held()).toHaveLength(1)
  })

  test('an unknown outcome of a dispatch attempt adds nothing to the timeline or the audit log while it stays unknown', async () => {
    const run = await openLive(started(), 'fez')
    run.benches.fez.fail('create', ...Array.from({ length: 80 }, () => gone))
    const { body } = await run.dispatch()
    await run.pass(20 * 60, 30)
    const parked = (await run.read(body.id)).body
    const audits = await auditsOf(run, body.id)
    expect(parked.timeline.length).toBeLessThan(6)
    await run.pass(3 * 3_600, 300)
    const later = (await run.read(body.id)).body
    expect([later.version, later.timeline, await auditsOf(run, body.id)]).toEqual([
      parked.version,
      parked.timeline,
      audits,
    ])
  })
})

describe('a rejected cancellation', () => {
  const refusal = { isAccepted: false, answer: [400, { status: 'failed', message: 'Not now' }] } as const

  test('if the carrier rejects the cancellation of a shipment, the shipment has the status that the carrier reports', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.chowdeck.fail('cancel', refusal)
    expect((await run.cancel(body.id)).status).toBe(409)
    const still = await expectActionable(run, body.id)
    expect([still.status, still.assignedAt]).toEqual(['awaiting_courier', null])
    expect(still.timeline[0].description).toContain('rejected the cancellation')
  })

  test('a carrier’s rejection of a repeated cancellation does not undo an earlier cancellation whose response was lost', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.chowdeck.fail('cancel', { isAccepted: true, answer: 'half' }, refusal, refusal)
    expect((await run.cancel(body.id)).body.status).toBe('cancelling')
    await run.pass(60, 10)
    const end = await expectActionable(run, body.id)
    expect(end.status).toBe('cancelled')
    const states = end.timeline.filter(({ applied }: ReplyBody) => applied).map(({ status }: ReplyBody) => status)
    expect(states).not.toContain('courier_assigned')
  })

  test('a rejected cancellation is sent again while the shipment’s status at the carrier cannot be polled', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { body } = await run.dispatch()
    run.benches.chowdeck.fail('cancel', refusal)
    run.benches.chowdeck.fail('get', gone, gone, gone, gone)
    expect((await run.cancel(body.id)).body.status).toBe('cancelling')
    await run.pass(60, 10)
    expect((await expectActionable(run, body.id)).status).toBe('cancelled')
  })
})
