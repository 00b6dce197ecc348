import { expect, test } from 'vitest'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { deliver, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const events = 60
const hour = 60 * 60_000

test('two concurrent workers deliver every event and record every result despite failed attempts, disabled endpoints and replays', async () => {
  const shop = await openShop(opened().database)
  const faults: unknown[] = []
  const accepted: unknown[] = []
  let answers = 0
  const receiver = await openReceiver(({ headers }, response) => {
    answers += 1
    // Two of three requests to the webhook receiver fail. The failures come one after another, so that they often
    // disable the endpoint.
    const isAccepted = answers % 12 >= 8
    if (isAccepted) accepted.push(headers['webhook-id'])
    response.writeHead(isAccepted ? 200 : 500).end()
  })
  const { merchantId, endpointId } = await shop.addEndpoint(receiver.url)
  const log = shop.pumpContext.log.child({})
  Object.assign(log, { error: (fault: unknown) => faults.push(fault) })
  const work = (workerId: string) => deliver({ ...shop.pumpContext, log, workerId }, { merchantId, endpointId })
  const enable = () => enableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  for (let count = 0; count < events; count++) await shop.emit()
  // Each round advances the clock by one hour, so that retries become due while new failures disable the webhook
  // endpoint.
  for (let round = 0; round < 60; round++) {
    const open = (await shop.deliveries()).filter(
      ({ status, trigger }) => status !== 'succeeded' && trigger !== 'replay',
    )
    if (open.length === 0) break
    for (const { id } of open.slice(0, 1)) await replayDelivery(shop.context, operator, shop.tenant, id)
    await Promise.all([work('wrk_one'), work('wrk_other'), enable()])
    await enable()
    shop.clock.advance(hour)
  }
  const first = (await shop.deliveries()).filter(({ trigger }) => trigger === 'automatic')
  expect(faults).toEqual([])
  expect(first.filter(({ status }) => status === 'succeeded')).toHaveLength(events)
  expect(new Set(accepted).size).toBe(events)
  expect((await shop.notifications()).length).toBeGreaterThan(0)
})
