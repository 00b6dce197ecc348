import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { expectReplay, openScene, type Scene } from '../../support/commerce/refund-replay.ts'
import { contentsOf, eventsOf } from '../../support/database-contents.ts'
import { mintToken } from '../../support/shop.ts'

/** Spec 4.5 and 8: createRefund is the only operation that honours an Idempotency-Key. */

const started = useApi()
const path = '/api/v1/refunds'
const open = (isPaid = true) => openScene(started(), isPaid)

describe('createRefund with the same key and body', () => {
  test('a repeated refund request returns the first reply, byte for byte, and creates no second refund', async () => {
    const { api, shop, refund, count } = await open()
    const first = await refund('once')
    const before = await contentsOf(api)
    const second = await refund('once')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(first.headers.get('idempotency-status')).toBe('honoured')
    expectReplay(second, first)
    expect(second.headers.get('idempotency-status')).toBe('honoured')
    expect(await contentsOf(api)).toEqual(before)
    expect(await count()).toBe(1)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  })

  test.for<[string, (body: Scene['body']) => string]>([
    ['the fields in another order', (body) => JSON.stringify(Object.fromEntries(Object.entries(body).reverse()))],
    ['other white space', (body) => JSON.stringify(body, null, '\t ')],
    ['escapes for plain letters', (body) => JSON.stringify(body).replace('damaged', '\\u0064amaged')],
    ['another notation of the number', (body) => JSON.stringify(body).replace('100000', '1.0e5')],
  ])('a refund request is treated as a repeat of the first request even if its body has the same values with %s', async ([
    ,
    spell,
  ]) => {
    const { body, refund, count } = await open()
    const first = await refund('spelled')
    expectReplay(await refund('spelled', spell(body)), first)
    expect(await count()).toBe(1)
  })

  test('a repeated refund request returns the amounts as they were at the first request', async () => {
    const { refund } = await open()
    const first = await refund('first')
    await refund('second')
    const replay = await refund('first')
    expectReplay(replay, first)
    expect(replay.body.order.refundedKobo).toBe(100_000)
  })

  test('a repeated refund request returns the first reply even with another token of the merchant', async () => {
    const { api, shop, refund, count } = await open()
    const first = await refund('rotated')
    const { token } = await mintToken(api.context, shop.tenant, { scopes: ['refunds:write'] })
    expectReplay(await refund('rotated', undefined, { token }), first)
    expect(await count()).toBe(1)
  })

  test('createRefund requests with the same body but without an Idempotency-Key each create a refund', async () => {
    const { api, shop, body, count } = await open()
    const first = await api.send('POST', path, { token: shop.token, body })
    const second = await api.send('POST', path, { token: shop.token, body })
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.headers.get('idempotency-status')).toBeNull()
    expect(await count()).toBe(2)
  })
})

describe('409 idempotency_conflict', () => {
  test.for<[string, object]>([
    ['another amount', { amountKobo: 100_001 }],
    ['another reason', { reason: 'other' }],
    ['an added note', { note: 'Zip was broken.' }],
  ])('createRefund returns 409 idempotency_conflict for the same Idempotency-Key with %s', async ([, more]) => {
    const { body, refund, count } = await open()
    const first = await refund('reused')
    answers('createRefund', 'idempotency_conflict', await refund('reused', { ...body, ...more }))
    expect(await count()).toBe(1)
    expectReplay(await refund('reused'), first)
  })

  test('createRefund returns 409 idempotency_conflict for another body with the Idempotency-Key of a rejected request', async () => {
    const { body, refund } = await open(false)
    answers('createRefund', 'order_not_paid', await refund('reused'))
    answers('createRefund', 'idempotency_conflict', await refund('reused', { ...body, amountKobo: 5 }))
  })
})

describe('stored replies of createRefund', () => {
  test('a repeated refund request returns the stored rejection by a business rule byte for byte, including the id of the first request', async () => {
    const { api, shop, body, refund, count } = await open(false)
    const first = await refund('refused')
    answers('createRefund', 'order_not_paid', first)
    const payment = { amountKobo: 1_000_000, method: 'cash', reference: newOrderId(0) }
    await api.send('POST', `/api/v1/orders/${body.orderId}/payments`, { token: shop.token, body: payment })
    const second = await refund('refused')
    expectReplay(second, first)
    expect(second.body.error.requestId).toBe(first.headers.get('request-id'))
    expect(second.headers.get('service-should-retry')).toBe('false')
    expect(await count()).toBe(0)
    expect((await refund('new')).status).toBe(201)
  })

  test.for<[string, object]>([
    ['an amount above the refundable one', { amountKobo: 1_000_001 }],
    ['an amount above the maximum', { amountKobo: 100_000_000_000 }],
  ])('createRefund stores its rejection of %s, and returns the stored rejection to a repeated request', async ([
    ,
    more,
  ]) => {
    const { body, refund } = await open()
    const first = await refund('exceeds', { ...body, ...more })
    answers('createRefund', 'refund_exceeds_refundable', first)
    expectReplay(await refund('exceeds', { ...body, ...more }), first)
  })

  test.for<[string, string, object]>([
    ['an invalid body', 'validation_failed', { colour: 'red' }],
    ['an unknown order', 'order_not_found', { orderId: newOrderId(0) }],
    ['an unknown item', 'item_not_found', { items: [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 }] }],
  ])('createRefund does not store its rejection of %s, so a corrected request with the same Idempotency-Key succeeds', async ([
    ,
    code,
    more,
  ]) => {
    const { body, refund } = await open()
    const refused = await refund('again', { ...body, ...more })
    expect(refused.body.error.code).toBe(code)
    const second = await refund('again')
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
  })

  test.for<[string, { token?: string; headers?: Record<string, string> }, number]>([
    ['without a token', { token: '' }, 401],
    ['of another media type', { headers: { 'Content-Type': 'text/plain' } }, 415],
  ])('createRefund does not store its rejection of a request %s, so a correct request with the same Idempotency-Key succeeds', async ([
    ,
    more,
    status,
  ]) => {
    const { refund } = await open()
    expect((await refund('again', undefined, more)).status).toBe(status)
    expect((await refund('again')).status).toBe(201)
  })

  test('a dry run of createRefund neither uses up its idempotency key nor returns the reply stored for the key', async () => {
    const { api, refund, count } = await open()
    const before = await contentsOf(api)
    const dry = await refund('tried', undefined, { headers: { 'Service-Dry-Run': 'true' } })
    expect(dry.status).toBe(201)
    expect(dry.headers.get('idempotency-status')).toBe('ignored')
    expect(await contentsOf(api)).toEqual(before)
    const real = await refund('tried')
    expect(real.headers.get('idempotent-replayed')).toBeNull()
    expect(real.body.id).not.toBe(dry.body.id)
    expect(await count()).toBe(1)
  })
})
