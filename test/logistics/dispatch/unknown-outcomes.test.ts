import { expect, test } from 'vitest'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { resolveException } from '../../../src/logistics/cancellation/resolve-exception.ts'
import { useApi } from '../../support/api.ts'
import { getShipment, openTestShop, parcelTo, pass, post } from '../../support/logistics/parcel-run.ts'
import { operator } from '../../support/shop.ts'

const started = useApi()

async function dispatched(digits: string, carriers: readonly string[]) {
  const api = started()
  const shop = await openTestShop(api)
  const failover = { strategy: 'preferred', carriers, maxPriceKobo: 10_000_000 }
  const reply = await post(api, shop, 'dispatch', parcelTo(dispatchPhonePrefix + digits, { failover }))
  const read = async () => (await getShipment(api, shop, reply.body.id)).body
  return { api, shop, reply, read }
}

test('if the outcome of a dispatch stays unknown for a day, the shipment fails with instructions to the merchant, and no second carrier is called', async () => {
  const { api, reply, read } = await dispatched('200', ['simulator-saver', 'simulator-swift'])
  expect(reply).toMatchObject({ status: 202, body: { status: 'dispatching' } })
  await pass(api, 20 * 60, 60)
  expect(await read()).toMatchObject({ status: 'dispatching', exceptions: [{ code: 'outcome_unknown' }] })
  await pass(api, 24 * 3_600, 3_600)
  expect(await read()).toMatchObject({
    status: 'failed',
    statusReason: { code: 'outcome_unknown' },
    exceptions: [{ code: 'outcome_unknown' }],
    attempts: [{ number: 1, carrier: 'simulator-saver', state: 'abandoned' }],
  })
})

test('the exception about an unknown outcome is resolved by a member, but only after the shipment has failed', async () => {
  const { api, shop, reply, read } = await dispatched('200', ['simulator-saver'])
  const solved = { id: ShipmentId.parse(reply.body.id), code: 'outcome_unknown', reason: 'No rider comes.' } as const
  const resolve = () => resolveException(api.context, operator, shop.tenant, solved)
  await pass(api, 20 * 60, 60)
  expect(await resolve()).toEqual({ is: 'still_needed' })
  await pass(api, 24 * 3_600, 3_600)
  expect(await read()).toMatchObject({ status: 'failed', exceptions: [{ resolvedAt: null }] })
  expect(await resolve()).toEqual({ is: 'resolved' })
  expect(await read()).toMatchObject({ exceptions: [{ resolvedAt: expect.any(String) }] })
})

test('if a carrier has no order after two requests without a response, the next carrier has accepted the shipment within 90 seconds', async () => {
  const { api, read } = await dispatched('300', ['simulator-swift', 'simulator-steady'])
  await pass(api, 90)
  expect(await read()).toMatchObject({
    status: 'awaiting_courier',
    attempts: [
      { carrier: 'simulator-swift', state: 'not_found_at_carrier' },
      { carrier: 'simulator-steady', state: 'accepted' },
    ],
  })
})
