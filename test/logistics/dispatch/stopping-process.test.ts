import { beforeEach, expect, test } from 'vitest'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { useApi } from '../../support/api.ts'
import { getShipment, openTestShop, parcelTo, pass, post } from '../../support/logistics/parcel-run.ts'

/**
 * A stopping process closes its connections after 20 seconds. A dispatch in this process must therefore not continue
 * with further carriers.
 */

let isStopping = false
const started = useApi({ isStopping: () => isStopping })

beforeEach(() => {
  isStopping = true
})

async function dispatched(digits: string) {
  const api = started()
  const shop = await openTestShop(api)
  const failover = {
    strategy: 'preferred',
    carriers: ['simulator-swift', 'simulator-steady'],
    maxPriceKobo: 10_000_000,
  }
  const reply = await post(api, shop, 'dispatch', parcelTo(dispatchPhonePrefix + digits, { failover }))
  const read = async () => (await getShipment(api, shop, reply.body.id)).body
  return { api, reply, read }
}

test('a process that is stopping still sends the first request of a dispatch to its carrier', async () => {
  const { reply } = await dispatched('000')
  expect(reply).toMatchObject({ status: 201, body: { status: 'awaiting_courier' } })
})

test.for([
  ['rejects the parcel', '100', 'refused'],
  ['does not respond', '300', 'not_found_at_carrier'],
] as const)('if a stopping process has sent the first carrier request of a dispatch, and that carrier %s, a worker calls the next carrier', async ([
  ,
  digits,
  state,
]) => {
  const { api, reply, read } = await dispatched(digits)
  expect(reply).toMatchObject({ status: 202, body: { status: 'dispatching' } })
  expect((await read()).attempts).toHaveLength(1)
  isStopping = false
  await pass(api, 90)
  expect(await read()).toMatchObject({
    status: 'awaiting_courier',
    attempts: [
      { carrier: 'simulator-swift', state },
      { carrier: 'simulator-steady', state: 'accepted' },
    ],
  })
})
