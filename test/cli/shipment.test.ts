import { beforeAll, expect, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { newShipmentId } from '../../src/base/records.ts'
import { useApi } from '../support/api.ts'
import { eventsOf, select } from '../support/database-contents.ts'
import { readShipment, storeShipment } from '../support/logistics/shipment.ts'
import { applyUpdate } from '../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { commerce, commerceJson } from './commerce.ts'

const started = useApi()

let shop: Shop
let ids: string[]
beforeAll(async () => {
  const api = started()
  shop = await openShop(api.context)
  const inMinutes = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * 60_000)
  const first = await storeShipment(api, shop, {
    reference: 'first',
    pickupEstimate: { p50: inMinutes(30), p90: inMinutes(50) },
    deliveryEstimate: { p50: inMinutes(90), p90: inMinutes(120) },
    exceptions: [{ code: 'carrier_wallet_low', carrier: 'fez', at: inMinutes(0) }],
  })
  await applyUpdate(api, shop, first, { status: 'courier_assigned' })
  api.clock.advance(1000)
  const second = await storeShipment(api, shop, {
    reference: 'second',
    status: 'failed',
    statusCode: 'recipient_absent',
  })
  await storeShipment(api, await openShop(api.context))
  ids = [second.id, first.id]
})

const run = (...words: string[]) =>
  commerceJson(started().connectionString, 'shipment', ...words, '--merchant', shop.merchantId)

test('the command `shipment list` returns the shipments of one merchant, newest first, without recipients', async () => {
  const listed = await run('list')
  expect(listed).toMatchObject([
    { id: ids[0], reference: 'second', status: 'failed', statusCode: 'recipient_absent' },
    { id: ids[1], reference: 'first', status: 'courier_assigned', carrier: 'simulator-swift', attemptCount: 1 },
  ])
  expect(JSON.stringify(listed)).not.toContain('Adaeze')
  expect(await run('list', '--limit', '1')).toMatchObject([{ id: ids[0] }])
  expect(await run('list', '--mode', 'test')).toEqual([])
})

test('the command `shipment show` prints the API’s record of a shipment, as JSON or as tables', async () => {
  expect(await run('show', '--shipment', String(ids[1]))).toMatchObject({
    id: ids[1],
    status: 'courier_assigned',
    mode: 'live',
    attempts: [{ number: 1, carrier: 'simulator-swift', state: 'accepted' }],
    timeline: [{ status: 'courier_assigned', source: 'callback', applied: true }],
  })
  const words = ['show', '--shipment', String(ids[1]), '--merchant', shop.merchantId]
  const { stdout } = await commerce(started().connectionString, 'shipment', ...words)
  expect(stdout).toMatch(/^Recipient: \S+/m)
  expect(stdout).toMatch(/^Price: price ₦[\d,.]+, quoted ₦/m)
  expect(stdout).toContain('Pickup: 2026-11-21T09:00:00.000Z (90 %: 2026-11-21T09:20:00.000Z)\n')
  expect(stdout).toContain('Delivery: 2026-11-21T10:00:00.000Z (90 %: 2026-11-21T10:30:00.000Z)\n')
  expect(stdout).toMatch(/^carrier_wallet_low +The account with Fez\b.*2026-11-21T08:30:00/m)
  expect(stdout).toMatch(/^1 +simulator-swift +accepted/m)
  expect(stdout).toMatch(/courier_assigned +callback +1 +true/)
})

test('the command `shipment close` sets a final status that the current status allows, stores the reason and adds an audit entry', async () => {
  const api = started()
  const { id } = await storeShipment(api, shop, { reference: 'lost', status: 'in_transit' })
  const close = (as: string) => ['close', '--shipment', id, '--as', as, '--reason', 'The courier lost it.']
  const refused = await commerce(api.connectionString, 'shipment', ...close('failed'), '--merchant', shop.merchantId)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('returned or delivered or lost')
  expect(await run(...close('lost'))).toMatchObject({ id, from: 'in_transit', to: 'lost', orderFollowed: false })
  expect(await run('show', '--shipment', id)).toMatchObject({
    status: 'lost',
    statusReason: { code: 'closed_by_operator', message: 'The courier lost it.' },
    attempts: [{ state: 'completed' }],
  })
  const audits = "select actor_type, changes from audit_log where action = 'shipment.close' and resource_id = $1"
  expect(await select(api, audits, [id])).toMatchObject([
    { actor_type: 'operator', changes: { reason: [null, 'The courier lost it.'] } },
  ])
  const events = await eventsOf(api, shop.merchantId, 'shipment.status_changed')
  expect(events.filter(({ data }) => data.shipmentId === id)).toMatchObject([
    { data: { from: 'in_transit', to: 'lost' } },
  ])
  expect(await run(...close('lost'))).toMatchObject({ id, to: 'lost' })
  expect(await run('callbacks')).toEqual([])
})

test('the command `shipment close` changes the status of a shipment from cancelling to cancelled, and the service still checks the shipment’s abandoned dispatch attempt', async () => {
  const api = started()
  const resolvedAt = toTimestamp(api.clock.nowMs() - 60_000)
  const attempts = [{ state: 'cancelling', resolvedAt }] as const
  const key = await storeShipment(api, shop, { reference: 'stuck', status: 'cancelling', attempts: [...attempts] })
  const words = ['close', '--shipment', key.id, '--as', 'cancelled', '--reason', 'The carrier is gone.']
  expect(await run(...words)).toMatchObject({ id: key.id, from: 'cancelling', to: 'cancelled' })
  const kept = await readShipment(api, key)
  expect(kept.shipment).toMatchObject({ status: 'cancelled', statusCode: 'closed_by_operator' })
  expect(kept.attempts).toMatchObject([{ state: 'abandoned', resolvedAt }])
  expect(kept.attempts[0]?.nextCheckAt).not.toBeNull()
})

test('the command `shipment resolve` resolves an exception once, and stores the reason in the timeline and the audit log', async () => {
  const api = started()
  const at = toTimestamp(api.clock.nowMs())
  const attempt = { carrier: 'simulator-swift', attemptNumber: 1, at } as const
  const key = await storeShipment(api, shop, {
    reference: 'doubled',
    exceptions: [
      { code: 'duplicate_dispatch', facts: { carrierReference: 'SW-1' }, ...attempt },
      { code: 'courier_late', ...attempt },
    ],
  })
  const resolve = (code: string) => {
    return ['resolve', '--shipment', key.id, '--exception', code, '--reason', 'Swift cancelled it by phone.']
  }
  expect(await run(...resolve('duplicate_dispatch'))).toEqual({
    id: key.id,
    code: 'duplicate_dispatch',
    resolved: true,
  })
  const after = await readShipment(api, key)
  expect(after.shipment.exceptions).toMatchObject([
    { code: 'duplicate_dispatch', resolvedAt: expect.any(String) },
    { code: 'courier_late' },
  ])
  expect(after.shipment.exceptions[1]).not.toHaveProperty('resolvedAt')
  expect(after.events).toMatchObject([
    { source: 'request', description: expect.stringContaining('cancelled it by phone') },
  ])
  const audits =
    "select actor_type, changes from audit_log where action = 'shipment.resolve_exception' and resource_id = $1"
  const changes = { exception: ['duplicate_dispatch', null], reason: [null, 'Swift cancelled it by phone.'] }
  expect(await select(api, audits, [key.id])).toEqual([{ actor_type: 'operator', changes }])
  expect(await run(...resolve('duplicate_dispatch'))).toMatchObject({ resolved: false })
  expect(await readShipment(api, key)).toEqual(after)
  const refused = (code: string) =>
    commerce(api.connectionString, 'shipment', ...resolve(code), '--merchant', shop.merchantId)
  expect((await refused('order_not_moved')).stderr).toContain(
    'has no exception order_not_moved. Open exceptions of the shipment: courier_late.',
  )
  expect(await refused('courier_late')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must be one of'),
  })
})

test('the command `shipment resolve` does not resolve the exception order_cancelled while the shipment is active', async () => {
  const api = started()
  const exceptions = [{ code: 'order_cancelled', at: toTimestamp(api.clock.nowMs()) }] as const
  const { id } = await storeShipment(api, shop, { reference: 'unwanted', exceptions })
  const words = ['resolve', '--shipment', id, '--exception', 'order_cancelled', '--reason', 'x']
  const ended = await commerce(api.connectionString, 'shipment', ...words, '--merchant', shop.merchantId)
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('is still active')
})

test.for(['shp_none', newShipmentId(0)])('the command `shipment show` fails for the unknown id %s', async (id) => {
  const words = ['show', '--shipment', id, '--merchant', shop.merchantId]
  const ended = await commerce(started().connectionString, 'shipment', ...words)
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(`The merchant has no shipment ${id}.`)
})
