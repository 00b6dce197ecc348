import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { paid } from '../support/commerce/refund.ts'
import { arrange, invalid, writes } from '../support/contract/operation.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** Rejected writes and successful writes return the same headers about dry runs and idempotency keys. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const headers = { 'Service-Dry-Run': 'true', 'Idempotency-Key': 'some-key' }

describe('a rejected dry run', () => {
  test.for(
    writes,
  )('a rejected dry run of %s returns Service-Dry-Run: true and Idempotency-Status: ignored', async (id) => {
    const of = await arrange(started(), id, shop)
    const before = await contentsOf(started())
    for (const reply of [
      await invalid(of).send({ token: shop.token, headers }),
      await of.send({ token: 'svc_live_none', headers }),
    ]) {
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.headers.get('service-dry-run')).toBe('true')
      expect(reply.headers.get('idempotency-status')).toBe('ignored')
    }
    expect(await contentsOf(started())).toEqual(before)
  })
})

test('a rejected refund request returns Idempotency-Status: honoured, and so does its repetition', async () => {
  const { order } = await paid(started(), shop, [[100_000, 1]])
  const sent = { orderId: order.id, amountKobo: 99_999_999, reason: 'damaged' }
  for (const replayed of [null, 'true']) {
    const reply = await started().send('POST', '/api/v1/refunds', {
      token: shop.token,
      body: sent,
      headers: { 'Idempotency-Key': 'too-much' },
    })
    expect(reply.body.error.code).toBe('refund_exceeds_refundable')
    expect(reply.headers.get('idempotency-status')).toBe('honoured')
    expect(reply.headers.get('idempotency-key')).toBe('too-much')
    expect(reply.headers.get('idempotent-replayed')).toBe(replayed)
  }
})
