import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { cacheControlOf, hasVersion, mayBeUnmodified } from '../../registry/kit/endpoint.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { arrange, scopeOf, statusOf } from '../support/contract/operation.ts'
import { mintToken, openShop, type Shop } from '../support/shop.ts'
import { fixtures } from './fixtures.ts'

/** Tests every operation with a valid request. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const guarded = endpointIds.filter((id) => endpoints[id].access !== 'public')

describe('the test fixtures of the operations', () => {
  test('the test fixtures cover exactly the API operations of the registry', () => {
    expect(Object.keys(fixtures).sort()).toEqual([...endpointIds].sort())
  })
})

describe('a successful reply of each operation', () => {
  test.for(endpointIds)('the operation %s returns its declared status and the request id', async (id) => {
    const of = await arrange(started(), id, shop)
    const reply = await of.send({ token: of.shop.token })
    expect(reply.status, reply.text).toBe(of.endpoint.reply.status ?? 200)
    expect(reply.operationId).toBe(id)
  })

  test.for(
    endpointIds.filter((id) => statusOf(id) === 201),
  )('the operation %s returns a Location header from which the created record can be read', async (id) => {
    const of = await arrange(started(), id, shop)
    const { headers } = await of.send({ token: of.shop.token })
    const read = await started().send('GET', headers.get('location') ?? '', { token: shop.token })
    expect(read.status, read.text).toBe(200)
  })

  test.for(
    endpointIds.filter((id) => hasVersion(endpoints[id])),
  )('the operation %s returns the version of the record as its ETag', async (id) => {
    const of = await arrange(started(), id, shop)
    const reply = await of.send({ token: of.shop.token })
    const { etagFields } = of.endpoint
    const weak = `W/"${etagFields?.map((field) => reply.body[field]).join('.')}"`
    const tag = reply.headers.get('etag')?.replace(/-[\w-]{16}"$/, '"')
    expect(tag).toBe(etagFields === undefined ? `"v${reply.body.version}"` : weak)
  })

  test.for(
    endpointIds.filter((id) => mayBeUnmodified(endpoints[id])),
  )('the operation %s returns 304 for a matching If-None-Match, and the full reply otherwise', async (id) => {
    const of = await arrange(started(), id, shop)
    const ask = (tags: string) => of.send({ token: of.shop.token, headers: { 'If-None-Match': tags } })
    const first = await of.send({ token: of.shop.token })
    const tag = first.headers.get('etag') ?? expect.fail('No ETag.')
    for (const tags of [tag, `W/${tag.replace('W/', '')}`, `"v0", ${tag}`, '*']) {
      const reply = await ask(tags)
      expect({ tags, status: reply.status, text: reply.text }).toEqual({ tags, status: 304, text: '' })
      expect(reply.headers.get('etag')).toBe(tag)
      expect(reply.headers.get('cache-control')).toBe(cacheControlOf(of.endpoint))
    }
    for (const tags of ['"v0"', tag.replaceAll('"', ''), '', '"']) expect((await ask(tags)).status, tags).toBe(200)
  })

  test.for(
    endpointIds.filter((id) => !mayBeUnmodified(endpoints[id])),
  )('the operation %s ignores If-None-Match', async (id) => {
    const of = await arrange(started(), id, shop)
    expect((await of.send({ token: of.shop.token, headers: { 'If-None-Match': '*' } })).status).toBe(statusOf(id))
  })

  test.for(endpointIds)('the operation %s returns its declared Cache-Control', async (id) => {
    const of = await arrange(started(), id, shop)
    const reply = await of.send({ token: of.shop.token })
    expect(reply.headers.get('cache-control')).toBe(cacheControlOf(of.endpoint))
    const refused = await of.send({ token: 'svc_live_none' })
    if (refused.status >= 400) expect(refused.headers.get('cache-control')).toBe('no-store')
  })

  test.for(guarded)('the operation %s needs no scope except the one that it declares', async (id) => {
    const of = await arrange(started(), id, shop)
    const { token } = await mintToken(started().context, of.shop.tenant, { scopes: [scopeOf(id)] })
    expect((await of.send({ token })).status).toBe(statusOf(id))
  })
})
