import { expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { useDatabase } from '../support/database.ts'
import { strict } from './outbound.ts'
import { openShop, operator } from './shop.ts'

const opened = useDatabase()

test('plain http is for the sandbox only', async () => {
  const shop = await openShop(opened().database)
  const context = { ...shop.context, policy: strict }
  const { id, testId } = await createMerchant(context, operator, 'Adire Lagos')
  const request = { url: 'http://example.com/hook', kinds: ['order.created'] } as const
  const live = await createWebhookEndpoint(context, operator, { merchantId: id, mode: 'live' }, request)
  expect(live).toEqual({ is: 'url_refused', reason: expect.stringContaining('must begin with https://.') })
  const sandbox = await createWebhookEndpoint(context, operator, { merchantId: testId, mode: 'test' }, request)
  expect(sandbox).toMatchObject({ is: 'created', url: request.url })
})
