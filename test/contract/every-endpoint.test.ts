import { beforeAll, describe, expect, test } from 'vitest'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import { bodyLimitsOf, type Endpoint } from '../../registry/kit/endpoint.ts'
import { tokenCacheSeconds } from '../../registry/values/limits.ts'
import { revokeToken } from '../../src/access/revoke-token.ts'
import { setRateLimits } from '../../src/access/set-rate-limits.ts'
import { newToken } from '../../src/access/token-format.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { answers, endpointIds, operationsAnswering } from '../support/answers.ts'
import { type Reply, sendRaw } from '../support/api.ts'
import { useEveryOperation } from '../support/contract/every-operation.ts'
import { arrange, invalid, type Operation, scopeOf, statusOf, writes } from '../support/contract/operation.ts'
import { contentsOf, select } from '../support/database-contents.ts'
import { everyScope, mintToken, openShop, operator, type Shop } from '../support/shop.ts'
import { parseAnswer, sendBytes } from '../support/socket.ts'
import { elsewhere, withoutIds } from './fixture.ts'
import { fixtures } from './fixtures.ts'

/** Tests, for every operation in the registry, the errors that a request can cause. */

const { started, shop, everyOperation, everyOperationAtOnce } = useEveryOperation()

function bodyOf(id: EndpointId) {
  const endpoint: Endpoint = endpoints[id]
  return endpoint.body
}

describe('401 missing_token', () => {
  const headers = [{}, { Authorization: 'Basic c3ZjOg==' }, { Authorization: 'Bearer' }, { Authorization: 'Bearer ' }]
  for (const header of headers) {
    everyOperation('missing_token', `with ${JSON.stringify(header)}`, async (of) =>
      challenged(await of.send({ headers: header })),
    )
  }

  test('an empty Authorization header returns 401 missing_token', async () => {
    const reply = await started().send('GET', '/api/v1/orders', { headers: { Authorization: '' } })
    answers('listOrders', 'missing_token', challenged(reply))
  })
})

describe('401 invalid_token', () => {
  everyOperation('invalid_token', 'rejects a malformed token', async (of) => {
    return challenged(await of.send({ token: 'svc_live_tooshort' }))
  })
  everyOperation('invalid_token', 'rejects a token with wrong check characters', async (of) => {
    const last = shop().token.endsWith('0') ? '1' : '0'
    return challenged(await of.send({ token: shop().token.slice(0, -1) + last }))
  })
  everyOperation('invalid_token', 'rejects an unknown well-formed token', async (of) => {
    return challenged(await of.send({ token: newToken('live') }))
  })

  test.for([
    ['another case of the prefix', (token: string) => token.replace('svc_live_', 'SVC_LIVE_')],
    ['the other mode', (token: string) => token.replace('svc_live_', 'svc_test_')],
    ['an extra character', (token: string) => `${token}0`],
    ['a second token appended', (token: string) => `${token},${token}`],
  ] as const)('GET /orders rejects a token with %s', async ([, change]) => {
    const reply = await started().send('GET', '/api/v1/orders', { token: change(shop().token) })
    answers('listOrders', 'invalid_token', challenged(reply))
  })

  test('the 401 invalid_token reply does not contain the rejected token', async () => {
    const token = newToken('live')
    const reply = await started().send('GET', '/api/v1/orders', { token })
    expect(reply.text).not.toContain(token.slice(9))
  })
})

describe('401 token_revoked', () => {
  everyOperation('token_revoked', 'rejects a revoked token', async (of) => {
    const { context } = started()
    const { id, token } = await mintToken(context, shop().tenant, {})
    await revokeToken(context, operator, shop().tenant, id)
    return challenged(await of.send({ token }))
  })

  test('a revocation applies within five seconds to a token that was just used', async () => {
    const { context, clock, send } = started()
    const { id, token } = await mintToken(context, shop().tenant, {})
    expect((await send('GET', '/api/v1/orders', { token })).status).toBe(200)
    await revokeToken(context, operator, shop().tenant, id)
    clock.advance(tokenCacheSeconds * 1000)
    answers('listOrders', 'token_revoked', await send('GET', '/api/v1/orders', { token }))
  })
})

describe('401 token_expired', () => {
  everyOperation('token_expired', 'rejects a token from the millisecond of its expiry', async (of) => {
    const { context, clock } = started()
    const expiresAt = toTimestamp(clock.nowMs() + 1000)
    const { token } = await mintToken(context, of.shop.tenant, { expiresAt })
    clock.advance(999)
    expect((await of.send({ token })).status).toBe(statusOf(of.id))
    clock.advance(1)
    return challenged(await of.send({ token }))
  })
})

describe('403 ip_not_allowed', () => {
  everyOperation(
    'ip_not_allowed',
    'rejects an address outside the token’s networks and returns the address',
    async (of) => {
      const { token } = await mintToken(started().context, shop().tenant, {
        ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'],
      })
      const reply = await of.send({ token, headers: { 'X-Forwarded-For': '10.1.2.3' } })
      expect(reply.body.error.details).toEqual({ sourceIp: '127.0.0.1' })
      return reply
    },
  )

  test('a token with an IP allowlist is accepted from an address inside one of its networks', async () => {
    const { token } = await mintToken(started().context, shop().tenant, { ipAllowlist: ['10.0.0.0/8', '127.0.0.0/24'] })
    expect((await started().send('GET', '/api/v1/orders', { token })).status).toBe(200)
  })
})

describe('403 merchant_suspended', () => {
  everyOperation('merchant_suspended', 'rejects a suspended merchant’s token', async (of) => {
    const api = started()
    const suspended = await openShop(api.context)
    await select(api, 'update merchants set suspended_at = now() where id = $1', [suspended.merchantId])
    return of.send({ token: suspended.token })
  })
})

describe('429 rate_limited', () => {
  let limited: Shop
  beforeAll(async () => {
    const { context } = started()
    limited = await openShop(context)
    await setRateLimits(context, operator, limited.tenant, 'read=1/3600,write=1/3600,refund=1/3600')
  })

  everyOperation('rate_limited', 'rejects a token above its limit and returns when to retry', async (of) => {
    await of.send({ token: limited.token })
    const reply = await of.send({ token: limited.token })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect(reply.headers.get('ratelimit')).toMatch(/^"[a-z-]+";r=0;t=\d+$/)
    return reply
  })
})

describe('403 insufficient_scope', () => {
  everyOperation('insufficient_scope', 'returns the scope that the token lacks', async (of) => {
    const needed = scopeOf(of.id)
    const scopes = everyScope.filter((scope) => scope !== needed)
    const { token } = await mintToken(started().context, shop().tenant, { scopes })
    const reply = await of.send({ token })
    expect(reply.body.error.details).toEqual({ requiredScope: needed, tokenScopes: scopes })
    return reply
  })
  everyOperation(
    'insufficient_scope',
    'returns the same 403 for a missing record as for an existing one',
    async (of) => {
      const scopes = everyScope.filter((scope) => scope !== scopeOf(of.id))
      const { token } = await mintToken(started().context, shop().tenant, { scopes })
      const existing = await of.send({ token })
      const missing = await of.with(elsewhere(of, started().clock.nowMs())).send({ token })
      expect(withoutIds(missing.text)).toBe(withoutIds(existing.text))
      return existing
    },
  )
})

describe('400 unknown_parameter', () => {
  everyOperation('unknown_parameter', 'names the unknown parameter in its error', async (of) => {
    const path = `${of.path}${of.path.includes('?') ? '&' : '?'}colour=red`
    const reply = await of.with({ path }).send({ token: shop().token })
    expect(reply.body.error.errors).toMatchObject([{ path: 'query.colour', code: 'unknown_parameter' }])
    return reply
  })
})

describe('cursors of every list', () => {
  everyOperation('invalid_cursor', 'rejects a malformed cursor', async (of) => {
    return of.with({ path: `${of.path}?cursor=abc` }).send({ token: shop().token })
  })
  everyOperation('cursor_expired', 'rejects a cursor after 24 hours', async (of) => {
    const path = await nextPage(of)
    started().clock.advance(24 * 3_600_000)
    return of.with({ path }).send({ token: shop().token })
  })
  everyOperation(
    'cursor_filter_mismatch',
    'rejects a cursor together with filters that its first page did not have',
    async (of) => {
      const path = `${await nextPage(of)}&${fixtures[of.id].filter ?? 'createdFrom=2020-01-01T00:00:00Z'}`
      return of.with({ path }).send({ token: shop().token })
    },
  )

  async function nextPage(of: Operation): Promise<string> {
    const first = await of.with({ path: `${of.path}?limit=1` }).send({ token: shop().token })
    expect(first.body.pagination).toMatchObject({ limit: 1, hasMore: true })
    return `${of.path}?cursor=${first.body.pagination.cursor}`
  }
})

describe('malformed HTTP requests', () => {
  const headOf = ({ method, path }: Operation) => `${method} ${path} HTTP/1.1\r\nHost: a\r\n`
  const sendBytesAs = async (operationId: string, bytes: string): Promise<Reply> => {
    const { status, headers, text } = parseAnswer(await sendBytes(started(), bytes))
    return { operationId, status, headers: new Headers([...headers]), text, body: JSON.parse(text) }
  }
  const sendHead = (of: Operation, more: string) => sendBytesAs(of.id, headOf(of) + more)

  // Each loop in this file calls only the operations that declare the error code of its test.
  test.for([
    'malformed_request',
    'request_timeout',
    'headers_too_large',
    'transfer_coding_unsupported',
    'http_version_unsupported',
  ] as const)('every operation declares the error %s', (code) => {
    expect(operationsAnswering(code)).toEqual(endpointIds)
  })

  everyOperation('malformed_request', 'rejects a control character in an ignored header', async (of) => {
    const reply = await sendHead(of, 'X-Ignored: a\0b\r\n\r\n')
    expect(reply.body.error.details).toEqual({ header: null })
    return reply
  })
  everyOperation('malformed_request', 'rejects two Authorization headers, and names the header', async (of) => {
    const authorization = `Authorization: Bearer ${shop().token}\r\n`
    const reply = await sendHead(of, `${authorization}${authorization}Connection: close\r\n\r\n`)
    expect(reply.body.error.details).toEqual({ header: 'Authorization' })
    return reply
  })
  everyOperation('headers_too_large', 'rejects headers of more than 16 KiB', (of) => {
    return sendHead(of, `X-Ignored: ${'a'.repeat(17 * 1024)}\r\n\r\n`)
  })
  everyOperation('transfer_coding_unsupported', 'rejects a compressed transfer coding', async (of) => {
    const before = await contentsOf(started())
    const reply = await sendHead(of, 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n')
    expect(reply.headers.get('connection')).toBe('close')
    expect(await contentsOf(started())).toEqual(before)
    return reply
  })
  everyOperation('http_version_unsupported', 'rejects HTTP/2.0 in the request line', ({ id, method, path }) =>
    sendBytesAs(id, `${method} ${path} HTTP/2.0\r\nHost: a\r\n\r\n`),
  )
  everyOperationAtOnce(
    'request_timeout',
    'returns 408 request_timeout to a request that stays incomplete for 15 seconds',
    async (ask) => {
      const startMs = performance.now()
      await ask()
      expect(performance.now() - startMs).toBeGreaterThan(14_000)
    },
    { atOnce: 1000, send: (of) => sendHead(of, 'X-Ignored: a'), retryAfter: null },
  )
})

describe('malformed bodies', () => {
  everyOperation('unsupported_media_type', 'rejects a body that is not declared as JSON', async (of) => {
    const before = await contentsOf(started())
    const reply = await of.send({ token: shop().token, body: of.body ?? {}, headers: { 'Content-Type': 'text/plain' } })
    expect(await contentsOf(started())).toEqual(before)
    return reply
  })
  everyOperation('invalid_json', 'rejects a body that is not JSON', (of) =>
    of.send({ token: shop().token, body: '{"a":' }),
  )
  const needing = endpointIds.filter((id) => bodyOf(id) !== undefined)
  test.for(needing)('the operation %s rejects an empty body', async (id) => {
    const of = await arrange(started(), id, shop())
    const headers = {
      Authorization: `Bearer ${shop().token}`,
      'Content-Type': 'application/json',
      'Content-Length': '0',
    }
    answers(id, 'invalid_json', await sendRaw(started(), { method: of.method, path: of.path, headers }))
  })
  const needingNone = writes.filter((id) => bodyOf(id) === undefined)
  test.for(
    needingNone,
  )('the operation %s, which takes no body, rejects any body field and accepts an empty object or a chunked empty body', async (id) => {
    const refused = await arrange(started(), id, shop())
    const before = await contentsOf(started())
    const reply = await refused.send({ token: shop().token, body: { colour: 'red' } })
    expect(reply.body.error.errors).toMatchObject([{ path: 'body.colour', code: 'unknown_field' }])
    expect(await contentsOf(started())).toEqual(before)
    expect((await refused.send({ token: shop().token, body: {} })).status).toBe(statusOf(id))
    const { method, path } = await arrange(started(), id, shop())
    const headers = { Authorization: `Bearer ${shop().token}`, 'Transfer-Encoding': 'chunked' }
    expect((await sendRaw(started(), { method, path, headers })).status).toBe(statusOf(id))
  })
  everyOperation('body_too_large', 'rejects a body of too many bytes', (of) => {
    const { bytes } = bodyLimitsOf(of.endpoint)
    return of.send({ token: shop().token, body: { ...of.body, note: 'x'.repeat(bytes) } })
  })
})

describe('400 validation_failed', () => {
  everyOperation('validation_failed', 'returns the path of the invalid field', async (of) => {
    const reply = await invalid(of).send({ token: shop().token })
    expect(reply.body.error.errors.length).toBeGreaterThan(0)
    for (const problem of reply.body.error.errors) expect(problem.path).toMatch(/^(path|query|body)\./)
    return reply
  })
})

describe('412 version_conflict', () => {
  everyOperation(
    'version_conflict',
    'rejects a write with another version in If-Match, and returns the current version',
    async (of) => {
      const before = await contentsOf(started())
      const reply = await of.send({ token: shop().token, headers: { 'If-Match': '"v999999999"' } })
      expect(reply.body.error.details.currentVersion).toBeGreaterThanOrEqual(1)
      expect(await contentsOf(started())).toEqual(before)
      return reply
    },
  )
  everyOperation('version_conflict', 'accepts the current version in If-Match once', async (of) => {
    const first = await of.send({ token: shop().token, headers: { 'If-Match': '"v999999999"' } })
    // The test sends a weak ETag, like the ETag of a response that a proxy has compressed. The part after the version
    // number distinguishes states of the record with the same version; If-Match ignores this part.
    const tag = `W/"v${first.body.error.details.currentVersion}-any_state-of-1t"`
    const written = await of.send({ token: shop().token, headers: { 'If-Match': tag } })
    expect(written.status, written.text).toBe(statusOf(of.id))
    return first
  })
  everyOperation('version_conflict', 'rejects a malformed ETag in If-Match', async (of) => {
    for (const value of ['v1', '1', '"v01"', '"v1", "v2"', '"v1-"', '']) {
      const reply = await of.send({ token: shop().token, headers: { 'If-Match': value } })
      expect(reply.body.error.errors, reply.text).toMatchObject([{ path: 'header.If-Match', code: 'invalid_format' }])
    }
    return of.send({ token: shop().token, headers: { 'If-Match': '"v999999999"' } })
  })
})

function challenged(reply: Reply): Reply {
  expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  return reply
}
