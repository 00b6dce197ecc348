import { expect, test } from 'vitest'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { strict } from '../../outbound/outbound.ts'
import { useDatabase } from '../../support/database.ts'
import { openShop, operator } from '../shop.ts'

const opened = useDatabase()

test('creating a webhook endpoint rejects a plain http URL in live and in test mode', async () => {
  const shop = await openShop(opened().database)
  const context = { ...shop.context, policy: strict }
  const { id, testId } = await createMerchant(context, operator, 'Adire Lagos')
  const request = { url: 'http://example.com/hook', kinds: ['order.created'] } as const
  for (const tenant of [{ merchantId: id, mode: 'live' } as const, { merchantId: testId, mode: 'test' } as const]) {
    const outcome = await createWebhookEndpoint(context, operator, tenant, request)
    expect(outcome).toEqual({ is: 'url_refused', reason: expect.stringContaining('must start with https://.') })
  }
})
