import { expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { reconcileLateAcceptance } from '../../../src/logistics/dispatch/reconcile-late-acceptance.ts'
import { dispatcher } from '../../../src/logistics/shipments/change-shipment.ts'
import { select } from '../../support/database-contents.ts'
import { openLive, useLiveApi } from '../../support/logistics/live-run.ts'

/**
 * Two parcels to one recipient. The carrier can only list its orders, and the list lacks the service's references. The
 * service must assign each order to one dispatch attempt, and must not cancel either order as a duplicate of the other.
 */

const started = useLiveApi()

const lost = { isAccepted: true, answer: 'breaks_off' } as const
const notAccepted = { isAccepted: false, answer: 'breaks_off' } as const
const noList = { isAccepted: true, answer: [502, '<html>Bad gateway</html>'] } as const

const orderOf = async (id: string, number = 1) => {
  const sql = 'select carrier_reference as name from dispatch_attempts where shipment_id = $1 and number = $2'
  return (await select(started(), sql, [id, number]))[0]?.name
}

/**
 * Opens a shipment with an abandoned dispatch attempt at Shipbubble, which the service monitors, and with an accepted
 * order of another carrier.
 */
async function openAbandoned() {
  const run = await openLive(started(), 'shipbubble', 'chowdeck')
  const { shipbubble } = run.benches
  shipbubble.fail('create', notAccepted)
  const { body } = await run.dispatch()
  await run.pass(120, 10)
  const { attempts } = (await run.read(body.id)).body
  expect(attempts.map(({ carrier, state }: { carrier: string; state: string }) => [carrier, state])).toEqual([
    ['shipbubble', 'not_found_at_carrier'],
    ['chowdeck', 'accepted'],
  ])
  const id: string = body.id
  const checkNow = async () => {
    const now = new Date(run.api.clock.nowMs()).toISOString()
    await select(run.api, 'update dispatch_attempts set next_check_at = $2 where shipment_id = $1 and number = 1', [
      id,
      now,
    ])
  }
  return { run, shipbubble, id, checkNow }
}

test('if a carrier’s responses to the dispatch requests of two shipments to one recipient were lost, the service finds both orders at the carrier', async () => {
  const run = await openLive(started(), 'shipbubble')
  const { shipbubble } = run.benches
  // The first lookups at the carrier run at once and fail, so that the outcomes of both attempts are unknown before
  // either order is found.
  shipbubble.fail('create', lost, lost)
  shipbubble.fail('find', noList, noList)
  const ids = [(await run.dispatch()).body.id, (await run.dispatch()).body.id]
  await run.pass(300, 10)
  const found = await Promise.all(ids.map(async (id) => (await run.read(id)).body))
  expect(found.map(({ status }) => status)).toEqual(['awaiting_courier', 'awaiting_courier'])
  expect(new Set(found.map(({ carrierReference }) => carrierReference))).toEqual(new Set(['SB-1000', 'SB-1001']))
  expect(shipbubble.held()).toHaveLength(2)
})

test('the service looks up an abandoned dispatch attempt at growing intervals, and does not assign it the carrier order of a later attempt to the same recipient', async () => {
  const { run, shipbubble, id } = await openAbandoned()
  const later = await run.dispatch()
  expect(later.body.carrierReference).toBe('SB-1000')
  const asked = shipbubble.server.asked('list')
  await run.pass(1_200, 60)
  // The service looks up the order at the carrier after 1, 5 and 15 minutes instead of every minute.
  expect(shipbubble.server.asked('list') - asked).toBeLessThanOrEqual(5)
  expect(await orderOf(id)).toBeNull()
  expect(shipbubble.held()).toEqual(['SB-1000'])
  expect((await run.read(later.body.id)).body.status).toBe('awaiting_courier')
})

test('a lookup does not assign a carrier’s order to a dispatch attempt while the outcome of a later attempt is unknown', async () => {
  const { run, shipbubble, id, checkNow } = await openAbandoned()
  shipbubble.fail('create', lost)
  shipbubble.fail('find', noList)
  const later = await run.dispatch()
  expect(later).toMatchObject({ status: 202, body: { status: 'dispatching' } })
  const far = new Date(run.api.clock.nowMs() + 3_600_000).toISOString()
  await select(run.api, 'update shipments set next_check_at = $2 where id = $1', [later.body.id, far])
  await checkNow()
  const asked = shipbubble.server.asked('list')
  await run.pass(5)
  expect(shipbubble.server.asked('list') - asked).toBeGreaterThan(0)
  expect(await orderOf(id)).toBeNull()
  expect(shipbubble.held()).toEqual(['SB-1000'])
  const now = new Date(run.api.clock.nowMs()).toISOString()
  await select(run.api, 'update shipments set next_check_at = $2 where id = $1', [later.body.id, now])
  await run.pass(5)
  expect((await run.read(later.body.id)).body).toMatchObject({
    status: 'awaiting_courier',
    carrierReference: 'SB-1000',
  })
})

test('a lookup assigns no carrier order to a dispatch attempt if a later attempt started during the lookup', async () => {
  const { run, shipbubble, id, checkNow } = await openAbandoned()
  await checkNow()
  shipbubble.fail('create', lost)
  shipbubble.fail('find', { isAccepted: true, answer: 'later' }, noList)
  const asked = shipbubble.server.asked('list')
  const checking = run.pass(5)
  await expect.poll(() => shipbubble.server.asked('list'), { timeout: 120_000 }).toBe(asked + 1)
  const later = await run.dispatch()
  await shipbubble.release()
  await checking
  expect(later.body.status).toBe('dispatching')
  expect(await orderOf(id)).toBeNull()
  expect(shipbubble.held()).toEqual(['SB-1000'])
})

test('a lookup does not assign a carrier’s order to a dispatch attempt if the order was assigned to another attempt during the lookup', async () => {
  const { run, shipbubble, id } = await openAbandoned()
  const later = await run.dispatch()
  const { logistics: context } = run.api
  const command = { context, tenant: run.shop.tenant, actor: dispatcher, id: ShipmentId.parse(id) }
  const order = { carrierReference: 'SB-1000', priceKobo: undefined, trackingUrl: undefined, labelUrl: undefined }
  await reconcileLateAcceptance(command, 1, { ...order, status: 'awaiting_courier' })
  expect(await orderOf(id)).toBeNull()
  expect(await orderOf(later.body.id)).toBe('SB-1000')
  expect(shipbubble.held()).toEqual(['SB-1000'])
})
