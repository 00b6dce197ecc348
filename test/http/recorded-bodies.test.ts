import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { recordBodies } from '../../src/access/record-bodies.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { redactBody } from '../../src/http/pipeline/redact-body.ts'
import { openRequestLog, type RequestLog } from '../../src/http/request-log.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { requestBody } from '../../src/store/requests/request-list.ts'
import { addressOf, useApi } from '../support/api.ts'
import { mintToken, openShop, operator, type Shop } from '../support/shop.ts'

/** The redacted bodies of rejected requests, which a merchant records for one day. */

const api = useApi()
let shop: Shop
let requestLog: RequestLog
let send: (body: string | Buffer, sent?: Sent) => Promise<Reply>

interface Sent {
  readonly token?: string
  readonly type?: string
}

interface Reply {
  readonly status: number
  readonly id: string
}

/**
 * Starts an API with a request log. The log stores the requests when a test closes the log, or otherwise after some
 * time.
 */
beforeEach(async () => {
  shop = await openShop(api().context)
  const database = openDatabase({ connectionString: api().connectionString, maxConnections: 2 })
  requestLog = openRequestLog(database, silentLog)
  const service = await openService({ ...api().context, requestLog }, silentLog, 0)
  const server = createApiServer(service)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  onTestFinished(async () => {
    await service.subscription.close()
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
    await requestLog.close()
    await database.close()
  })
  send = async (body, { token = shop.token, type = 'application/json' } = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/customers`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return { status: response.status, id: response.headers.get('request-id') ?? '' }
  }
})

const record = (isOn: boolean, tenant = shop.tenant) => recordBodies(api().context, operator, tenant, isOn)

/** The result is undefined if the request was stored without a body. */
async function storedBody({ id }: Reply, merchantId = shop.merchantId): Promise<unknown> {
  await requestLog.close()
  const [found] = await api().database.read(requestBody, { merchantId, id })
  if (found === undefined) throw new Error('The request log does not have the request.')
  return found.body === null ? undefined : JSON.parse(found.body)
}

const invalid = JSON.stringify({ name: 'Ngozi Eze', email: 'ngozi.eze', phone: '08031234567', nonsense: 7 })

describe('the request log of a merchant', () => {
  test('the request log stores no body of a rejected request unless the merchant records bodies', async () => {
    expect(await storedBody(await send(invalid))).toBeUndefined()
  })

  test('the request log stores the redacted body of a rejected request while the merchant records bodies', async () => {
    await record(true)
    const reply = await send(invalid)
    expect(reply.status).toBe(400)
    expect(await storedBody(reply)).toEqual({
      name: '‹string, 9 characters›',
      email: '‹string, 9 characters›',
      phone: '‹string, 11 characters›',
      nonsense: 7,
    })
  })

  test('the request log stores no body of a successful request, even while the merchant records bodies', async () => {
    await record(true)
    const reply = await send(JSON.stringify({ name: 'Ngozi Eze', email: 'ngozi.eze@example.com' }))
    expect(reply.status).toBe(201)
    expect(await storedBody(reply)).toBeUndefined()
  })

  test('while a merchant records bodies in one mode, the request log stores no bodies of other merchants or of the merchant’s other mode', async () => {
    const other = await openShop(api().context)
    await record(true)
    const [foreign, inTestMode] = [
      await send(invalid, { token: other.token }),
      await send(invalid, await mintToken(api().context, { merchantId: shop.testMerchantId, mode: 'test' }, {})),
    ]
    expect(await storedBody(foreign, other.merchantId)).toBeUndefined()
    expect(await storedBody(inTestMode, shop.testMerchantId)).toBeUndefined()
  })

  test('after the merchant stops the recording of bodies, the request log stores no further body, even for a request with a cached token', async () => {
    await record(true)
    await send(invalid)
    await record(false)
    expect(await storedBody(await send(invalid))).toBeUndefined()
  })

  test('the recording of bodies ends after one day by the clock of the database', async () => {
    await record(true)
    const setEnd = (end: string) =>
      api().database.pool.query<{ hours: number }>(
        `update merchants set record_bodies_until = ${end} where id = $1
         returning extract(epoch from record_bodies_until - now())::float8 / 3600 as hours`,
        [shop.merchantId],
      )
    const { rows } = await setEnd('record_bodies_until')
    expect(rows[0]?.hours).toBeGreaterThan(23)
    expect(rows[0]?.hours).toBeLessThanOrEqual(24)
    await send(invalid)
    await setEnd('now()')
    expect(await storedBody(await send(invalid))).toBeUndefined()
  })

  test('the request log stores only the size of a body that is not JSON, is not UTF-8 or was not read', async () => {
    await record(true)
    const replies = [
      await send('{"name": "Ngozi'),
      await send(Buffer.from([0x22, 0xff, 0x22])),
      await send('['.repeat(1000)),
      await send('name=Ngozi', { type: 'text/plain' }),
      await send(`"${'x'.repeat(70_000)}"`),
    ]
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 413, 415, 413])
    const bodies: unknown[] = []
    for (const reply of replies) bodies.push(await storedBody(reply))
    expect(bodies).toEqual([
      '‹not JSON, 15 bytes›',
      '‹not JSON, 3 bytes›',
      '‹not JSON, 1000 bytes›',
      '‹not read, 10 bytes›',
      '‹not read, 70002 bytes›',
    ])
  })

  test('at most one batch of the requests that wait to be written to the request log has bodies, and the other requests are stored without a body', async () => {
    await record(true)
    const { merchantId, tokenId } = shop
    const result = {
      operation: 'createCustomer',
      status: 400,
      errorCode: 'invalid_json',
      durationMs: 1,
      problems: null,
    }
    for (let number = 0; number < 510; number++) {
      const id = newId('req', api().clock.nowMs())
      requestLog.add({ ...result, merchantId, tokenId, id, sourceIp: '203.0.113.7', body: '1' })
    }
    await requestLog.close()
    const { rows } = await api().database.pool.query(
      'select count(*)::int as requests, count(body)::int as bodies from request_log where merchant_id = $1',
      [merchantId],
    )
    expect(rows).toEqual([{ requests: 510, bodies: 500 }])
  })

  test('starting and stopping the recording of bodies each write one audit row, and repeating either action writes none', async () => {
    const outcomes = [await record(true), await record(true), await record(false), await record(false)]
    expect(outcomes.map(({ is }) => is)).toEqual(['changed', 'unchanged', 'changed', 'unchanged'])
    const { rows } = await api().database.pool.query(
      `select action, changes from audit_log where merchant_id = $1 and action like '%bodies' order by action`,
      [shop.merchantId],
    )
    const until = expect.stringMatching(/^\d{4}-/)
    expect(rows).toEqual([
      { action: 'merchant.record_bodies', changes: { recordBodiesUntil: [null, until] } },
      { action: 'merchant.stop_recording_bodies', changes: { recordBodiesUntil: [until, null] } },
    ])
  })

  test('if two members start the recording of request bodies at the same time, only one of them succeeds', async () => {
    const outcomes = await Promise.all([record(true), record(true)])
    expect(outcomes.map(({ is }) => is).toSorted()).toEqual(['changed', 'unchanged'])
  })
})

describe('a redacted body', () => {
  const redacted = (value: unknown): unknown => JSON.parse(redactBody(value))

  test('a redacted body contains ids, timestamps, currencies, values of enums, numbers and null as they were sent', () => {
    const body = {
      ...{ customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k', scheduledAt: '2026-11-21T08:30:00.000Z', currency: 'USD' },
      ...{ state: 'Lagos', quantity: -1.5, isGift: true, note: null, items: [{ quantity: 0 }, []] },
    }
    expect(redacted(body)).toEqual(body)
  })

  test('a redacted body contains only the length of each text that is not an id, a timestamp, a currency or an enum value', () => {
    expect(redacted(['a', '', '2026-11-21', 'NGX', 'cus_1', { __proto__x: '👗' }])).toEqual([
      '‹string, 1 character›',
      '‹string, 0 characters›',
      '‹string, 10 characters›',
      '‹string, 3 characters›',
      '‹string, 5 characters›',
      { __proto__x: '‹string, 2 characters›' },
    ])
  })

  test('a redacted body contains no numeric phone number, account number, card number or coordinate at any depth', () => {
    const body = {
      ...{ recipientPhone: 8031234567, phones: [8031234567], bankAccount: { number: 12, currency: 'NGN' } },
      ...{ Card: 4242, BVN: 22, lat: 6.5, lng: 3.4, total: 100 },
    }
    expect(redacted(body)).toEqual({
      ...{ recipientPhone: '‹number›', phones: ['‹number›'] },
      bankAccount: { number: '‹number›', currency: '‹string, 3 characters›' },
      ...{ Card: '‹number›', BVN: '‹number›', lat: '‹number›', lng: '‹number›', total: 100 },
    })
  })

  test('a redacted body has at most 16 levels of nesting, even if the original body has 1,000', () => {
    const text = redactBody(JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`))
    expect(text).toBe(`${'['.repeat(16)}"‹list›"${']'.repeat(16)}`)
    expect(redactBody(JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`))).toContain('{"a":"‹object›"}')
  })

  test('a redacted body has at most 200 values, and its last value marks that further values were omitted', () => {
    const list = redacted(Array.from({ length: 100_000 }, (_, index) => index))
    expect(list).toEqual([...Array.from({ length: 199 }, (_, index) => index), '‹more›'])
    const object = redacted(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, index])))
    expect(Object.entries(Object(object)).slice(198)).toEqual([
      ['f198', 198],
      ['…', '‹more›'],
    ])
  })

  test('a redacted body is at most 16 KB long, and its field names have at most 64 characters, even if its texts need JSON escapes', () => {
    expect(redacted({ ['n'.repeat(65)]: 1 })).toEqual({ ['n'.repeat(64)]: 1 })
    const names = Array.from({ length: 300 }, (_, index) => [`${index}${'\u0001'.repeat(200)}`, 'x'.repeat(9999)])
    const nested = Array.from({ length: 15 }).reduce<unknown>(
      (inner) => ({ a: inner, b: 1 }),
      Object.fromEntries(names),
    )
    const size = Buffer.byteLength(redactBody(nested))
    expect(size).toBeGreaterThan(14 * 1024)
    expect(size).toBeLessThanOrEqual(16 * 1024)
  })
})
