import { beforeAll, describe, expect, test } from 'vitest'
import { hasVersion } from '../../registry/endpoint.ts'
import { endpoints } from '../../registry/index.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { arrange, scopeOf, statusOf } from '../support/operation.ts'
import { mintToken, openShop, type Shop } from '../support/shop.ts'
import { fixtures } from './fixtures.ts'

/** What every operation does when it is asked rightly. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const guarded = endpointIds.filter((id) => endpoints[id].access !== 'public')

describe('the fixtures', () => {
  test('cover exactly the operations of the registry', () => {
    expect(Object.keys(fixtures).sort()).toEqual([...endpointIds].sort())
  })
})

describe('success', () => {
  test.for(endpointIds)('%s answers with its declared status and names its request', async (id) => {
    const of = await arrange(started(), id, shop)
    const reply = await of.send({ token: shop.token })
    expect(reply.status, reply.text).toBe(of.endpoint.reply.status ?? 200)
    expect(reply.operationId).toBe(id)
  })

  test.for(endpointIds.filter((id) => statusOf(id) === 201))('%s says where the record can be read', async (id) => {
    const of = await arrange(started(), id, shop)
    const { headers } = await of.send({ token: shop.token })
    const read = await started().send('GET', headers.get('location') ?? '', { token: shop.token })
    expect(read.status, read.text).toBe(200)
  })

  test.for(endpointIds.filter((id) => hasVersion(endpoints[id])))('%s tells the version as an ETag', async (id) => {
    const of = await arrange(started(), id, shop)
    const reply = await of.send({ token: shop.token })
    expect(reply.headers.get('etag')).toBe(`"v${reply.body.version}"`)
  })

  test.for(guarded)('%s needs no scope but its own', async (id) => {
    const of = await arrange(started(), id, shop)
    const { token } = await mintToken(started().context, shop.tenant, { scopes: [scopeOf(id)] })
    expect((await of.send({ token })).status).toBe(statusOf(id))
  })
})
