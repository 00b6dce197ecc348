import { Agent, request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { RateLimits } from '../../registry/values/rate-limits.ts'
import { networkOf } from '../../src/access/limits/failed-authentications.ts'
import { setRateLimits } from '../../src/access/set-rate-limits.ts'
import { newToken } from '../../src/access/token-format.ts'
import { openLog } from '../../src/base/log.ts'
import { openRejectionLog } from '../../src/http/pipeline/rejection-log.ts'
import { type Reply, useApi } from '../support/api.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { mintToken, openShop, operator, type Shop } from '../support/shop.ts'

const limits: RateLimits = {
  read: { quota: 6, seconds: 3 },
  write: { quota: 3, seconds: 3 },
  refund: { quota: 2, seconds: 4 },
  authentication: { quota: 3, seconds: 60 },
  concurrency: 4,
}
let nowMs = 1_000_000

const lines: string[] = []
const log = openLog('info', { write: (line) => void lines.push(line) })

const started = useApi({ rates: { limits, nowMs: () => nowMs }, log })

let shop: Shop
beforeEach(async () => {
  // The clock advances by an hour, so that all rate limit quotas are full again.
  nowMs += 3_600_000
  shop = await openShop(started().context)
})

const list = (token: string) => started().send('GET', '/api/v1/orders', { token })
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status)
const many = (count: number, send: () => Promise<Reply>) => Promise.all(Array.from({ length: count }, send))

describe('rate limit headers of a response to a request with a token', () => {
  test('every successful response to a request with a token has the rate limit headers: the policies and the remaining requests', async () => {
    const { headers } = await list(shop.token)
    expect(headers.get('ratelimit-policy')).toBe('"read-merchant";q=24;w=3, "read";q=6;w=3')
    expect(headers.get('ratelimit')).toBe('"read";r=5;t=1')
    expect((await list(shop.token)).headers.get('ratelimit')).toBe('"read";r=4;t=1')
  })

  test('every error response to a token has the rate limit headers: the policies and the remaining requests', async () => {
    const reply = await started().send('POST', '/api/v1/orders', { token: shop.token, body: {} })
    expect(reply.status).toBe(400)
    expect(reply.headers.get('ratelimit')).toBe('"write";r=2;t=1')
  })
})

describe('a token above its limit', () => {
  test('a token above its rate limit gets 429 with the seconds to wait, and is accepted after that time', async () => {
    const replies: Reply[] = []
    for (let count = 0; count < 8; count++) replies.push(await list(shop.token))
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    const rejected = await list(shop.token)
    expect(rejected.body.error).toMatchObject({ code: 'rate_limited', details: { policy: 'read' }, retryable: true })
    expect(rejected.headers.get('retry-after')).toBe('1')
    expect(rejected.headers.get('ratelimit')).toBe('"read";r=0;t=1')
    expect(rejected.headers.get('ratelimit-policy')).toBe('"read";q=6;w=3')
    nowMs += 499
    expect((await list(shop.token)).status).toBe(429)
    nowMs += 1
    expect((await list(shop.token)).status).toBe(200)
  })

  test('the Retry-After header of a 429 response contains the seconds to wait, rounded up', async () => {
    const refund = () => started().send('POST', '/api/v1/refunds', { token: shop.token, body: {} })
    expect(statusesOf(await many(2, refund))).toEqual([400, 400])
    expect((await refund()).headers.get('retry-after')).toBe('2')
    nowMs += 900
    expect((await refund()).headers.get('retry-after')).toBe('2')
    nowMs += 200
    expect((await refund()).headers.get('retry-after')).toBe('1')
  })

  test('a token above its rate limit can still use operations of another rate limit class', async () => {
    for (let count = 0; count < 7; count++) await list(shop.token)
    const reply = await started().send('POST', '/api/v1/refunds', { token: shop.token, body: {} })
    expect(reply.status).toBe(400)
  })

  test('a token that has used up its rate limit for refunds cannot create a refund by a test trigger either', async () => {
    const send = (path: string) => started().send('POST', path, { token: shop.token, body: {} })
    expect(statusesOf(await many(2, () => send('/api/v1/refunds')))).toEqual([400, 400])
    expect((await send('/api/v1/test/triggers')).status).toBe(429)
  })

  test('a token above its rate limit does not slow down another merchant', async () => {
    await many(20, () => list(shop.token))
    const other = await openShop(started().context)
    expect((await list(other.token)).status).toBe(200)
  })

  test('a token above its rate limit is rejected before its scope and its body are checked', async () => {
    const { token } = await mintToken(started().context, shop.tenant, { scopes: ['orders:read'] })
    const write = () => started().send('POST', '/api/v1/refunds', { token, body: 'not json' })
    expect(statusesOf(await many(2, write))).toEqual([403, 403])
    expect((await write()).status).toBe(429)
  })

  test('a connection stays open after the rejection of a request above the token’s rate limit, even if the service did not read the request body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const sockets = new Set<unknown>()
    const post = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' }
        const outgoing = httpRequest(
          { host: '127.0.0.1', port: started().port, method: 'POST', path: '/api/v1/orders', headers, agent },
          (response) => {
            sockets.add(response.socket)
            response.resume().on('end', () => resolve(response.statusCode ?? 0))
          },
        )
        outgoing.on('error', reject)
        outgoing.end(JSON.stringify({ padding: 'x'.repeat(40_000) }))
      })
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push(await post())
    expect(statuses).toEqual([400, 400, 400, 429, 429, 429])
    expect(sockets.size).toBe(1)
  })
})

describe('the tokens of one merchant', () => {
  test('the tokens of one merchant together have four times the rate limit of one token', async () => {
    const tokens = await Promise.all(Array.from({ length: 6 }, () => mintToken(started().context, shop.tenant, {})))
    const replies: Reply[] = []
    for (const { token } of tokens) for (let count = 0; count < 6; count++) replies.push(await list(token))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(24)
    expect(replies.at(-1)?.body.error.details).toEqual({ policy: 'read-merchant' })
  })
})

describe('a merchant with limits of its own', () => {
  test('rate limits set for one merchant apply to that merchant only; other merchants keep the configured limits', async () => {
    const { context } = started()
    await setRateLimits(context, operator, shop.tenant, 'read=2/3600')
    const replies = await many(3, () => list(shop.token))
    expect(statusesOf(replies).toSorted()).toEqual([200, 200, 429])
    const write = await started().send('POST', '/api/v1/orders', { token: shop.token, body: {} })
    expect(write.headers.get('ratelimit-policy')).toContain('"write";q=3;w=3')
    const other = await openShop(context)
    expect((await list(other.token)).headers.get('ratelimit-policy')).toContain('"read";q=6;w=3')
  })

  test('removing a merchant’s own rate limits restores the configured limits, and the audit log contains both the setting and the removal', async () => {
    const { context } = started()
    await setRateLimits(context, operator, shop.tenant, 'read=2/3600')
    started().clock.advance(1)
    await setRateLimits(context, operator, shop.tenant, null)
    expect((await list(shop.token)).headers.get('ratelimit-policy')).toContain('"read";q=6;w=3')
    const rows = await select(
      started(),
      "select changes from audit_log where merchant_id = $1 and action = 'merchant.set_rate_limits' order by id",
      [shop.merchantId],
    )
    expect(rows.map(({ changes }) => changes)).toEqual([
      { rateLimits: [null, 'read=2/3600'] },
      { rateLimits: ['read=2/3600', null] },
    ])
  })
})

describe('failed authentications from one address', () => {
  const wrong = () => list(newToken('live'))

  test('failed authentications from one address get 429 above the limit, even if no token is sent', async () => {
    const replies: Reply[] = []
    for (let count = 0; count < 4; count++) replies.push(await wrong())
    expect(statusesOf(replies)).toEqual([401, 401, 401, 429])
    expect(replies.at(-1)?.headers.get('retry-after')).toBe('20')
    expect(replies.at(-1)?.headers.get('ratelimit-policy')).toBe('"authentication";q=3;w=60')
    expect((await started().send('GET', '/api/v1/orders')).status).toBe(429)
    nowMs += 20_000
    expect((await wrong()).status).toBe(401)
  })

  test('failed authentications from one address do not block a token that was used successfully before', async () => {
    await list(shop.token)
    for (let count = 0; count < 5; count++) await wrong()
    expect((await list(shop.token)).status).toBe(200)
  })

  test('once an address exceeds the limit of failed authentications, rejecting its requests with 429 needs no SQL statement', async () => {
    for (let count = 0; count < 4; count++) await wrong()
    await asOwner(started(), 'alter table api_tokens rename to api_tokens_gone')
    const replies = await many(20, wrong)
    await asOwner(started(), 'alter table api_tokens_gone rename to api_tokens')
    expect(new Set(statusesOf(replies))).toEqual(new Set([429]))
  })

  test.for([
    ['an unknown token', () => wrong()],
    ['a malformed token', () => list('svc_live_x')],
    ['no token', () => started().send('GET', '/api/v1/orders')],
    [
      'another spelling of the scheme',
      () => started().send('GET', '/api/v1/orders', { headers: { Authorization: 'bearer x' } }),
    ],
  ] as const)('failed authentications with %s are rejected after a short delay once the number of failures exceeds the limit', async ([
    ,
    send,
  ]) => {
    for (let count = 0; count < 3; count++) await wrong()
    const startMs = performance.now()
    for (let count = 0; count < 10; count++) expect((await send()).status).toBe(429)
    // The service delays each of the ten rejections by at least 30 ms, so the limit here has a wide margin.
    expect(performance.now() - startMs).toBeGreaterThan(140)
  })

  test('the log has at most one 429 rejection per second for the failed authentications from one address', async () => {
    for (let count = 0; count < 3; count++) await wrong()
    const logged = () => lines.filter((line) => JSON.parse(line).status === 429).length
    const before = logged()
    await many(20, wrong)
    expect(logged() - before).toBe(1)
    nowMs += 1_000
    await many(20, wrong)
    expect(logged() - before).toBe(2)
  })

  test.for([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
  ])('failed authentications from the address %s are counted together for the network %s', ([
    address = '',
    network = '',
  ]) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('concurrent requests of one token', () => {
  test('concurrent requests of one token are limited in number, and the excess requests get 429 at once', async () => {
    const api = started()
    await setRateLimits(api.context, operator, shop.tenant, 'write=1000/1')
    const send = () => {
      const body = { title: 'Ankara dress', variants: [{ priceKobo: 100 }] }
      return api.send('POST', '/api/v1/products', { token: shop.token, body })
    }
    const waiting = whileLocked(api, { text: 'lock table audit_log in share row exclusive mode' }, async () => {
      const first = Array.from({ length: 4 }, send)
      await untilWaiting(api, 4)
      const fifth = await send()
      expect(fifth.status).toBe(429)
      expect(fifth.body.error.details).toEqual({ policy: 'concurrency' })
      expect(fifth.headers.get('ratelimit-policy')).toBe('"concurrency";q=4;qu="concurrent-requests"')
      expect(fifth.headers.get('retry-after')).toBe('1')
      return first
    })
    const replies = await Promise.all(await waiting)
    expect(statusesOf(replies)).toEqual([201, 201, 201, 201])
    expect((await send()).status).toBe(201)
  })
})

describe('a flood of one token', () => {
  test('a flood of requests with one token is rejected before routing, with the same headers and body as a rejection after routing', async () => {
    for (let count = 0; count < 6; count++) await list(shop.token)
    const path = '/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k'
    const early = [await list(shop.token), await started().send('GET', path, { token: shop.token })]
    // The service rejects a request early, before it determines the operation, only if the scheme `Bearer` has its
    // usual spelling.
    const routed = await started().send('GET', path, { headers: { Authorization: `bearer ${shop.token}` } })
    expect(routed.status).toBe(429)
    for (const { status, headers, body } of early) {
      expect(status).toBe(429)
      expect([...headers.keys()].toSorted()).toEqual([...routed.headers.keys()].toSorted())
      expect({ ...body.error, requestId: '' }).toEqual({ ...routed.body.error, requestId: '' })
    }
  })

  test('each rejection in a flood of requests with one token is delayed, which slows down clients that retry at once', async () => {
    for (let count = 0; count < 6; count++) await list(shop.token)
    const startMs = performance.now()
    const replies: Reply[] = []
    for (let count = 0; count < 10; count++) replies.push(await list(shop.token))
    expect(new Set(statusesOf(replies))).toEqual(new Set([429]))
    // The service delays each of the ten rejections by at least 30 ms, so the limit here has a wide margin.
    expect(performance.now() - startMs).toBeGreaterThan(140)
  })

  test.for([
    ['the method HEAD', 'HEAD', '/api/v1/orders', 'Bearer'],
    ['another spelling of the scheme', 'GET', '/api/v1/orders', 'bearer'],
  ] as const)('a flood of requests with one token is rejected with a delay even if the requests use %s', async ([
    ,
    method,
    path,
    scheme,
  ]) => {
    for (let count = 0; count < 6; count++) await list(shop.token)
    const headers = { Authorization: `${scheme} ${shop.token}` }
    const startMs = performance.now()
    for (let count = 0; count < 10; count++)
      expect((await fetch(started().url + path, { method, headers })).status).toBe(429)
    expect(performance.now() - startMs).toBeGreaterThan(140)
  })

  test('a flood of requests with one token is rejected even when the token was not used before', async () => {
    const { token } = await mintToken(started().context, shop.tenant, {})
    const statuses = statusesOf(await many(20, () => list(token)))
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(6)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})

test('the rate limit rejections of a token are logged at most once a second', () => {
  let atMs = 0
  const logs = openRejectionLog(() => atMs)
  expect([logs('tok_1'), logs('tok_1'), logs('tok_2')]).toEqual([true, false, true])
  atMs = 999
  expect(logs('tok_1')).toBe(false)
  atMs = 1_000
  expect(logs('tok_1')).toBe(true)
})
