import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../registry/endpoint.ts'
import type { ErrorCode } from '../../registry/errors.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import { tokenCacheSeconds } from '../../registry/limits.ts'
import { isScope, type Scope } from '../../registry/scopes.ts'
import { revokeToken } from '../../src/access/revoke-token.ts'
import { newToken } from '../../src/access/token-format.ts'
import { toTimestamp } from '../../src/clock.ts'
import { answers, endpointIds, operationsAnswering } from '../support/answers.ts'
import { type Reply, type Sent, sendRaw, useApi } from '../support/api.ts'
import { asSuperuser, auditRows, contentsOf, select } from '../support/contents.ts'
import { everyScope, mintToken, openShop, operator, type Shop } from '../support/shop.ts'
import { type Arranged, elsewhere, fixtures, withoutIds } from './fixtures.ts'

/** What holds for every operation, by looping over the registry: a new operation is tested by being declared. */

const started = useApi()

let shop: Shop
let other: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
  other = await openShop(started().context)
})

/**
 * Registers one test for each operation that declares the code; `provoke` gives the reply that must carry it.
 * coverage.test.ts takes a call for the declaration that every operation is covered.
 */
function everyOperation(code: ErrorCode, title: string, provoke: (of: Of) => Promise<Reply>): void {
  test.for(operationsAnswering(code))(`%s ${title}`, async (id) => {
    const of = await arrange(id, shop)
    answers(id, code, await provoke(of))
  })
}

/** The same for what takes the whole service or much time: one test that asks all the operations at once. */
function everyOperationAtOnce(
  code: ErrorCode,
  title: string,
  around: (ask: () => Promise<void>) => Promise<void>,
): void {
  test(title, async () => {
    const arranged = await Promise.all(operationsAnswering(code).map((id) => arrange(id, shop)))
    const { token } = await mintToken(started().context, shop.tenant, {})
    await around(async () => {
      const replies = await Promise.all(arranged.map(async (of) => ({ of, reply: await of.send({ token }) })))
      for (const { of, reply } of replies) {
        answers(of.id, code, reply)
        expect(reply.headers.get('retry-after')).toBe('1')
      }
    })
  })
}

interface Of extends Arranged {
  readonly id: EndpointId
  readonly endpoint: Endpoint
  send(sent: Sent): Promise<Reply>
}

async function arrange(id: EndpointId, inShop: Shop): Promise<Of> {
  return bound(id, await fixtures[id].arrange(started(), inShop))
}

function bound(id: EndpointId, arranged: Arranged): Of {
  const { method, path, body } = arranged
  return { ...arranged, id, endpoint: endpoints[id], send: (sent) => started().send(method, path, { body, ...sent }) }
}

const guarded = endpointIds.filter((id) => endpoints[id].access !== 'public')
const writes = endpointIds.filter((id) => endpoints[id].kind === 'write')
const reads = endpointIds.filter((id) => endpoints[id].kind !== 'write')

describe('the fixtures', () => {
  test('cover exactly the operations of the registry', () => {
    expect(Object.keys(fixtures).sort()).toEqual([...endpointIds].sort())
  })
})

describe('success', () => {
  test.for(endpointIds)('%s answers with its declared status and names its request', async (id) => {
    const of = await arrange(id, shop)
    const reply = await of.send({ token: shop.token })
    expect(reply.status, reply.text).toBe(of.endpoint.reply.status ?? 200)
    expect(reply.operationId).toBe(id)
  })

  test.for(endpointIds.filter((id) => statusOf(id) === 201))('%s says where the record can be read', async (id) => {
    const of = await arrange(id, shop)
    const { headers } = await of.send({ token: shop.token })
    const read = await started().send('GET', headers.get('location') ?? '', { token: shop.token })
    expect(read.status, read.text).toBe(200)
  })

  test.for(guarded)('%s needs no scope but its own', async (id) => {
    const of = await arrange(id, shop)
    const { token } = await mintToken(started().context, shop.tenant, { scopes: [scopeOf(id)] })
    expect((await of.send({ token })).status).toBe(statusOf(id))
  })
})

describe('401 missing_token', () => {
  const headers = [{}, { Authorization: 'Basic c3ZjOg==' }, { Authorization: 'Bearer' }, { Authorization: 'Bearer ' }]
  for (const header of headers) {
    everyOperation('missing_token', `with ${JSON.stringify(header)}`, async (of) =>
      challenged(await of.send({ headers: header })),
    )
  }

  test('an empty Authorization header is a missing token', async () => {
    const reply = await started().send('GET', '/api/v1/orders', { headers: { Authorization: '' } })
    answers('listOrders', 'missing_token', challenged(reply))
  })
})

describe('401 invalid_token', () => {
  everyOperation('invalid_token', 'refuses what has not the form of a token', async (of) => {
    return challenged(await of.send({ token: 'svc_live_tooshort' }))
  })
  everyOperation('invalid_token', 'refuses a token whose check characters are wrong', async (of) => {
    const last = shop.token.endsWith('0') ? '1' : '0'
    return challenged(await of.send({ token: shop.token.slice(0, -1) + last }))
  })
  everyOperation('invalid_token', 'refuses a well-formed token nobody was given', async (of) => {
    return challenged(await of.send({ token: newToken('live') }))
  })

  test.for([
    ['another case of the prefix', (token: string) => token.replace('svc_live_', 'SVC_LIVE_')],
    ['the other mode', (token: string) => token.replace('svc_live_', 'svc_test_')],
    ['a character more', (token: string) => `${token}0`],
    ['a second token behind it', (token: string) => `${token},${token}`],
  ] as const)('a token with %s is refused', async ([, change]) => {
    const reply = await started().send('GET', '/api/v1/orders', { token: change(shop.token) })
    answers('listOrders', 'invalid_token', challenged(reply))
  })

  test('a token does not appear in the answer that refuses it', async () => {
    const token = newToken('live')
    const reply = await started().send('GET', '/api/v1/orders', { token })
    expect(reply.text).not.toContain(token.slice(9))
  })
})

describe('401 token_revoked', () => {
  everyOperation('token_revoked', 'refuses a revoked token', async (of) => {
    const { context } = started()
    const { id, token } = await mintToken(context, shop.tenant, {})
    await revokeToken(context, operator, shop.tenant, id)
    return challenged(await of.send({ token }))
  })

  test('a revocation is seen within five seconds, though the token was just used', async () => {
    const { context, clock, send } = started()
    const { id, token } = await mintToken(context, shop.tenant, {})
    expect((await send('GET', '/api/v1/orders', { token })).status).toBe(200)
    await revokeToken(context, operator, shop.tenant, id)
    clock.advance(tokenCacheSeconds * 1000)
    answers('listOrders', 'token_revoked', await send('GET', '/api/v1/orders', { token }))
  })
})

describe('401 token_expired', () => {
  everyOperation('token_expired', 'refuses a token from the very millisecond of its expiry', async (of) => {
    const { context, clock } = started()
    const expiresAt = toTimestamp(clock.nowMs() + 1000)
    const { token } = await mintToken(context, shop.tenant, { expiresAt })
    clock.advance(999)
    expect((await of.send({ token })).status).toBe(statusOf(of.id))
    clock.advance(1)
    return challenged(await of.send({ token }))
  })
})

describe('403 ip_not_allowed', () => {
  everyOperation('ip_not_allowed', 'refuses an address outside the token’s networks and names it', async (of) => {
    const { token } = await mintToken(started().context, shop.tenant, { ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'] })
    const reply = await of.send({ token, headers: { 'X-Forwarded-For': '10.1.2.3' } })
    expect(reply.body.error.details).toEqual({ sourceIp: '127.0.0.1' })
    return reply
  })

  test('an address inside one of the networks is let through', async () => {
    const { token } = await mintToken(started().context, shop.tenant, { ipAllowlist: ['10.0.0.0/8', '127.0.0.0/24'] })
    expect((await started().send('GET', '/api/v1/orders', { token })).status).toBe(200)
  })
})

describe('403 merchant_suspended', () => {
  everyOperation('merchant_suspended', 'refuses a suspended merchant’s token', async (of) => {
    const api = started()
    const suspended = await openShop(api.context)
    await select(api, 'update merchants set suspended_at = now() where id = $1', [suspended.merchantId])
    return of.send({ token: suspended.token })
  })
})

describe('403 insufficient_scope', () => {
  everyOperation('insufficient_scope', 'names the scope it needs', async (of) => {
    const needed = scopeOf(of.id)
    const scopes = everyScope.filter((scope) => scope !== needed)
    const { token } = await mintToken(started().context, shop.tenant, { scopes })
    const reply = await of.send({ token })
    expect(reply.body.error.details).toEqual({ requiredScope: needed, tokenScopes: scopes })
    return reply
  })
  everyOperation('insufficient_scope', 'answers the same whether or not the record exists', async (of) => {
    const scopes = everyScope.filter((scope) => scope !== scopeOf(of.id))
    const { token } = await mintToken(started().context, shop.tenant, { scopes })
    const existing = await of.send({ token })
    const missing = await bound(of.id, elsewhere(of, started().clock.nowMs())).send({ token })
    expect(withoutIds(missing.text)).toBe(withoutIds(existing.text))
    return existing
  })
})

describe('404', () => {
  const naming = endpointIds.filter((id) => fixtures[id].notFound !== undefined)

  test.for(
    naming,
  )('%s answers for another merchant’s record, and for the test twin’s, as for a missing one', async (id) => {
    const api = started()
    const twin = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token: twinToken } = await mintToken(api.context, twin, {})
    const of = await arrange(id, shop)
    const replies = [
      await bound(id, elsewhere(of, api.clock.nowMs())).send({ token: shop.token }),
      await of.send({ token: other.token }),
      await of.send({ token: twinToken }),
    ]
    for (const reply of replies) {
      expect({ status: reply.status, code: reply.body.error?.code }).toEqual({
        status: 404,
        code: fixtures[id].notFound,
      })
      expect(withoutIds(reply.text)).toBe(withoutIds(replies[0]?.text ?? ''))
      expect([...reply.headers.keys()]).toEqual([...(replies[0]?.headers.keys() ?? [])])
    }
  })

  test.for(
    endpointIds.filter((id) => endpoints[id].kind === 'list'),
  )('%s shows nothing of another merchant’s, nor of the live side to the test side', async (id) => {
    const { context } = started()
    const of = await arrange(id, shop)
    const { token } = await mintToken(context, { merchantId: shop.testMerchantId, mode: 'test' }, {})
    expect((await of.send({ token: other.token })).body.data).toEqual([])
    expect((await of.send({ token })).body.data).toEqual([])
  })
})

describe('400 unknown_parameter', () => {
  everyOperation('unknown_parameter', 'names the parameter', async (of) => {
    const path = `${of.path}?colour=red`
    const reply = await bound(of.id, { ...of, path }).send({ token: shop.token })
    expect(reply.body.error.errors).toMatchObject([{ path: 'query.colour', code: 'unknown_parameter' }])
    return reply
  })
})

describe('cursors', () => {
  everyOperation('invalid_cursor', 'refuses what is no cursor', async (of) => {
    return bound(of.id, { ...of, path: `${of.path}?cursor=abc` }).send({ token: shop.token })
  })
  everyOperation('cursor_expired', 'refuses a cursor of 24 hours', async (of) => {
    const path = await nextPage(of)
    started().clock.advance(24 * 3_600_000)
    return bound(of.id, { ...of, path }).send({ token: shop.token })
  })
  everyOperation('cursor_filter_mismatch', 'refuses other filters than the cursor’s', async (of) => {
    const path = `${await nextPage(of)}&createdFrom=2020-01-01T00:00:00Z`
    return bound(of.id, { ...of, path }).send({ token: shop.token })
  })

  async function nextPage(of: Of): Promise<string> {
    const first = await bound(of.id, { ...of, path: `${of.path}?limit=1` }).send({ token: shop.token })
    expect(first.body.pagination).toMatchObject({ limit: 1, hasMore: true })
    return `${of.path}?cursor=${first.body.pagination.cursor}`
  }
})

describe('broken bodies', () => {
  everyOperation('unsupported_media_type', 'refuses a body that is not declared as JSON', (of) => {
    return of.send({ token: shop.token, headers: { 'Content-Type': 'text/plain' } })
  })
  everyOperation('invalid_json', 'refuses a body that is not JSON', (of) =>
    of.send({ token: shop.token, body: '{"a":' }),
  )
  everyOperation('invalid_json', 'refuses an empty body', (of) => {
    const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json', 'Content-Length': '0' }
    return sendRaw(started(), { method: of.method, path: of.path, headers })
  })
  everyOperation('body_too_large', 'refuses a body of more than 1 MiB', (of) => {
    return of.send({ token: shop.token, body: { ...of.body, note: 'x'.repeat(1024 * 1024) } })
  })
})

describe('400 validation_failed', () => {
  everyOperation('validation_failed', 'tells where the problem is', async (of) => {
    const reply = await invalid(of).send({ token: shop.token })
    expect(reply.body.error.errors.length).toBeGreaterThan(0)
    for (const problem of reply.body.error.errors) expect(problem.path).toMatch(/^(path|query|body)\./)
    return reply
  })
})

describe('409 concurrent_update', () => {
  everyOperationAtOnce('concurrent_update', 'every write gives up after five seconds of waiting', async (ask) => {
    const api = started()
    const before = await contentsOf(api)
    const holder = await api.database.connect()
    try {
      await holder.query('begin')
      await holder.query('lock table audit_log in share row exclusive mode')
      await ask()
    } finally {
      holder.release(true)
    }
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('503 service_unavailable', () => {
  everyOperationAtOnce('service_unavailable', 'every operation says that the database is away', async (ask) => {
    const api = started()
    await asSuperuser(api, async (client) => {
      const name = client.escapeIdentifier(String(client.database))
      await client.query(`alter database ${name} connection limit 0`)
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [client.database],
      )
      try {
        await ask()
      } finally {
        await client.query(`alter database ${name} connection limit -1`)
      }
    })
    expect((await api.send('GET', '/api/v1/orders', { token: shop.token })).status).toBe(200)
  })
})

describe('500 internal_error', () => {
  everyOperation('internal_error', 'tells nothing of the fault', async (of) => {
    const api = started()
    const { token } = await mintToken(api.context, shop.tenant, {})
    await select(api, 'alter table api_tokens rename to api_tokens_gone')
    try {
      const reply = await of.send({ token })
      expect(reply.text).not.toMatch(/api_tokens|relation|\bat .*\.ts|node_modules/)
      return reply
    } finally {
      await select(api, 'alter table api_tokens_gone rename to api_tokens')
    }
  })
})

describe('the audit log', () => {
  test.for(writes)('%s leaves one row that says who, what, when and from where', async (id) => {
    const api = started()
    const audited = await openShop(api.context)
    const of = await arrange(id, audited)
    const before = new Set((await auditRows(api, audited.merchantId)).map((row) => row.request_id))
    const reply = await of.send({ token: audited.token })
    const rows = (await auditRows(api, audited.merchantId)).filter((row) => !before.has(row.request_id))
    expect(rows).toMatchObject([
      {
        action: of.endpoint.audits?.action,
        resource_type: of.endpoint.audits?.resourceType,
        resource_id: reply.body.id,
        actor_type: 'token',
        actor_id: audited.tokenId,
        source_ip: '127.0.0.1',
        request_id: reply.headers.get('request-id'),
      },
    ])
  })

  test.for(
    writes,
  )('%s leaves nothing in any table when it is refused, invalid, or asks for nothing there', async (id) => {
    const api = started()
    const of = await arrange(id, shop)
    const { token: weak } = await mintToken(api.context, shop.tenant, {
      scopes: everyScope.filter((scope) => scope !== scopeOf(id)),
    })
    const before = await contentsOf(api)
    expect((await of.send({})).status).toBe(401)
    expect((await of.send({ token: weak })).status).toBe(403)
    expect((await invalid(of).send({ token: shop.token })).status).toBe(400)
    expect((await of.send({ token: shop.token, body: '{' })).status).toBe(400)
    if (fixtures[id].notFound !== undefined) expect((await of.send({ token: other.token })).status).toBe(404)
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for(reads)('%s leaves nothing in any table', async (id) => {
    const api = started()
    const of = await arrange(id, shop)
    const before = await contentsOf(api)
    expect((await of.send({ token: shop.token })).status).toBe(200)
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('Service-Dry-Run', () => {
  test.for(writes)('%s answers a dry run like the real one and leaves nothing in any table', async (id) => {
    const api = started()
    const of = await arrange(id, shop)
    const before = await contentsOf(api)
    const dry = await of.send({ token: shop.token, headers: { 'Service-Dry-Run': 'true' } })
    expect(await contentsOf(api)).toEqual(before)
    const real = await of.send({ token: shop.token, headers: { 'Service-Dry-Run': 'false' } })
    expect(dry.status).toBe(real.status)
    expect(dry.headers.get('service-dry-run')).toBe('true')
    expect(real.headers.get('service-dry-run')).toBeNull()
    expect(Object.keys(dry.body)).toEqual(Object.keys(real.body))
    expect(withoutIds(dry.text).replace(/ORD-\w+/g, '')).toBe(withoutIds(real.text).replace(/ORD-\w+/g, ''))
  })

  test.for(writes)('%s refuses a dry run like the real one', async (id) => {
    if (fixtures[id].notFound === undefined) return
    const of = await arrange(id, shop)
    const dry = await of.send({ token: other.token, headers: { 'Service-Dry-Run': 'true' } })
    const real = await of.send({ token: other.token })
    expect(withoutIds(dry.text)).toBe(withoutIds(real.text))
  })

  test.for(writes)('%s refuses any other value, which may have been meant either way', async (id) => {
    const api = started()
    const of = await arrange(id, shop)
    const before = await contentsOf(api)
    for (const value of ['TRUE', '1', 'yes', '']) {
      const reply = await of.send({ token: shop.token, headers: { 'Service-Dry-Run': value } })
      expect(reply.body.error.errors).toMatchObject([{ path: 'header.Service-Dry-Run' }])
    }
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('Idempotency-Key where it is not honoured', () => {
  const ignoring = writes.filter((id) => idempotencyOf(id) === undefined)
  const values = ['k', '', 'a'.repeat(255), 'a'.repeat(256), 'a'.repeat(4000), 'k\u00e4se', '\u00ff', '"quoted"', '{}']

  test.for(ignoring)('%s ignores it without error, whatever its value', async (id) => {
    for (const value of values) {
      const of = await arrange(id, shop)
      const reply = await sendRaw(started(), {
        method: of.method,
        path: of.path,
        headers: {
          Authorization: `Bearer ${shop.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': value,
        },
        body: JSON.stringify(of.body),
      })
      expect(reply.status, `${value} ${reply.text}`).toBe(statusOf(id))
      expect(reply.headers.get('idempotency-status')).toBe('ignored')
    }
  })

  test.for(ignoring)('%s does the same work twice for the same key', async (id) => {
    const api = started()
    const headers = { 'Idempotency-Key': 'the-same' }
    const first = await (await arrange(id, shop)).send({ token: shop.token, headers })
    const second = await (await arrange(id, shop)).send({ token: shop.token, headers })
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(await select(api, "select 1 from idempotency_keys where key = 'the-same'")).toEqual([])
  })
})

/** Breaks what the operation takes: an id in its path, a page size, or a field it does not have. */
function invalid(of: Of): Of {
  if (of.body !== undefined) return bound(of.id, { ...of, body: { ...of.body, colour: 'red' } })
  if (of.endpoint.kind === 'list') return bound(of.id, { ...of, path: `${of.path}?limit=0` })
  return bound(of.id, { ...of, path: of.path.replace(/_[0-9a-z]{26}/, '_x') })
}

function challenged(reply: Reply): Reply {
  expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  return reply
}

function scopeOf(id: EndpointId): Scope {
  const { access } = endpoints[id]
  if (!isScope(access)) throw new Error(`${id} is public.`)
  return access
}

function statusOf(id: EndpointId): number {
  const endpoint: Endpoint = endpoints[id]
  return endpoint.reply.status ?? 200
}

function idempotencyOf(id: EndpointId): string | undefined {
  const endpoint: Endpoint = endpoints[id]
  return endpoint.idempotency
}
