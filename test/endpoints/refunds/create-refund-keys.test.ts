import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { sendRaw, useApi } from '../../support/api.ts'
import { expectReplay, openScene, sceneOf } from '../../support/commerce/refund-replay.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { mintToken } from '../../support/shop.ts'

/** Spec 4.5: the format of an Idempotency-Key, its lifetime, and the requests among which it must be unique. */

const started = useApi()
const path = '/api/v1/refunds'
const dayMs = 24 * 3_600_000
const open = (isPaid = true) => openScene(started(), isPaid)

describe('the lifetime of an idempotency key', () => {
  test('a repeated refund request still gets the stored reply one millisecond before the idempotency key is 24 hours old', async () => {
    const { api, refund, count } = await open()
    const first = await refund('daily')
    api.clock.advance(dayMs - 1)
    expectReplay(await refund('daily'), first)
    expect(await count()).toBe(1)
  })

  test('an idempotency key that is 24 hours old can be reused with any body', async () => {
    const { api, body, refund, count } = await open()
    const first = await refund('daily')
    api.clock.advance(dayMs)
    const second = await refund('daily', { ...body, amountKobo: 7 })
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(second.body.id).not.toBe(first.body.id)
    expect(await count()).toBe(2)
    api.clock.advance(dayMs - 1)
    expectReplay(await refund('daily', { ...body, amountKobo: 7 }), second)
    answers('createRefund', 'idempotency_conflict', await refund('daily'))
  })

  test('a repeated request does not extend the lifetime of an idempotency key', async () => {
    const { api, refund, count } = await open()
    await refund('daily')
    api.clock.advance(dayMs - 1)
    await refund('daily')
    api.clock.advance(1)
    expect((await refund('daily')).headers.get('idempotent-replayed')).toBeNull()
    expect(await count()).toBe(2)
  })

  test('the idempotency key of a rejected refund also expires after 24 hours', async () => {
    const { api, refund } = await open(false)
    const first = await refund('refused')
    api.clock.advance(dayMs)
    const second = await refund('refused')
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(second.body.error.requestId).not.toBe(first.body.error.requestId)
  })
})

describe('400 invalid_idempotency_key', () => {
  test.for([
    'k',
    ' ',
    'a'.repeat(255),
    '"quoted"',
    '{}',
    "';--",
    '~!@#$%^&*()',
  ])('createRefund accepts the idempotency key %s', async (key) => {
    const { refund } = await open()
    const first = await refund(`x${key}`.slice(-255))
    expect(first.status).toBe(201)
    expectReplay(await refund(`x${key}`.slice(-255)), first)
  })

  test.for([
    ['an empty key', ''],
    ['a key of spaces', '   '],
    ['256 characters', 'a'.repeat(256)],
    ['4,000 characters', 'a'.repeat(4000)],
    ['a letter beyond ASCII', 'k\u00e4se'],
    ['a byte beyond ASCII', '\u00ff'],
    ['a tab', 'a\tb'],
  ] as const)('createRefund returns 400 invalid_idempotency_key for %s', async ([, key]) => {
    const { api, shop, body, count } = await open()
    const headers = {
      Authorization: `Bearer ${shop.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    }
    const reply = await sendRaw(api, { method: 'POST', path, headers, body: JSON.stringify(body) })
    answers('createRefund', 'invalid_idempotency_key', reply)
    expect(await count()).toBe(0)
  })

  test('an invalid idempotency key returns 400 invalid_idempotency_key even in a dry run', async () => {
    const { refund } = await open()
    const headers = { 'Service-Dry-Run': 'true' }
    answers('createRefund', 'invalid_idempotency_key', await refund('a'.repeat(256), undefined, { headers }))
  })

  test('idempotency keys are case-sensitive', async () => {
    const { refund, count } = await open()
    await refund('Key')
    await refund('key')
    expect(await count()).toBe(2)
  })
})

describe('the scope of an idempotency key', () => {
  test('two merchants can use the same idempotency key independently', async () => {
    const first = await open()
    const second = await open()
    expect((await first.refund('shared')).status).toBe(201)
    const reply = await second.refund('shared')
    expect(reply.status).toBe(201)
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
  })

  test('an idempotency key applies to one mode: live and test keys are separate', async () => {
    const { api, shop, refund } = await open()
    const tenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token, id } = await mintToken(api.context, tenant, {})
    const testScene = await sceneOf(api, { ...shop, tenant, merchantId: shop.testMerchantId, token, tokenId: id }, true)
    expect((await refund('both')).status).toBe(201)
    const reply = await testScene.refund('both')
    expect(reply.status).toBe(201)
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
    expect(await eventsOf(api, shop.testMerchantId, 'order.refunded')).toMatchObject([{ mode: 'test' }])
  })
})
