import { expect, test } from 'vitest'
import { expectActionable, openLive, shipmentIdOf, useLiveApi } from '../../support/logistics/live-run.ts'

const started = useLiveApi()

test('cancelling a shipment deletes its order at Fez', async () => {
  const run = await openLive(started(), 'fez')
  const id = shipmentIdOf(await run.dispatch())
  const { fez } = run.benches
  expect(fez.held()).toHaveLength(1)
  const { body } = await run.cancel(id)
  expect(body.status).toBe('cancelled')
  expect(fez.server.asked('cancel')).toBe(1)
  expect(fez.held()).toEqual([])
})

test('if Fez responds to a cancellation with 404 but still tracks the order, the shipment stays with Fez', async () => {
  const run = await openLive(started(), 'fez')
  const id = shipmentIdOf(await run.dispatch())
  const { fez } = run.benches
  fez.fail('cancel', { isAccepted: false, answer: [404, { status: 'Error', description: 'Order not found' }] })
  await run.cancel(id)
  expect(fez.held()).toHaveLength(1)
  expect(await expectActionable(run, id)).toMatchObject({ status: 'awaiting_courier', carrier: { code: 'fez' } })
})

test('an order that Fez accepted without responding is found by its waybill number', async () => {
  const run = await openLive(started(), 'fez')
  const { fez } = run.benches
  const gateway = { isAccepted: false, answer: [502, '<html>Bad gateway</html>'] } as const
  // The first fault affects the request to create the order at Fez, the other faults affect its repetitions.
  fez.fail('create', { isAccepted: true, answer: 'breaks_off' }, ...Array.from({ length: 9 }, () => gateway))
  const { body } = await run.dispatch()
  expect(body.status).toBe('dispatching')
  await run.pass(120, 10)
  const shipment = await expectActionable(run, body.id)
  expect(shipment.status).toBe('awaiting_courier')
  expect(shipment.attempts).toMatchObject([{ state: 'accepted', carrierReference: fez.accepted()[0] }])
  expect(fez.server.asked('search')).toBeGreaterThan(0)
  expect(fez.accepted()).toHaveLength(1)
})
