import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { arrange, invalid, scopeOf, writes } from '../support/contract/operation.ts'
import { auditRows, contentsOf } from '../support/database-contents.ts'
import { everyScope, mintToken, openShop, type Shop } from '../support/shop.ts'
import { fixtures } from './fixtures.ts'

/**
 * Every write leaves one row in the audit log; a read or a rejected request leaves no row in any table. An export leaves
 * two rows in the audit log: test/endpoints/exports/exports.test.ts.
 */

const started = useApi()

let shop: Shop
let other: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
  other = await openShop(started().context)
})

const reads = endpointIds.filter((id) => endpoints[id].kind === 'read' || endpoints[id].kind === 'list')

describe('the audit log', () => {
  test.for(
    writes,
  )('the operation %s adds one row to the audit log with the actor, the action, the time and the source address', async (id) => {
    const api = started()
    const of = await arrange(started(), id, await openShop(api.context))
    const { shop: audited } = of
    const before = new Set((await auditRows(api, audited.merchantId)).map((row) => row.request_id))
    const reply = await of.send({ token: audited.token })
    const rows = (await auditRows(api, audited.merchantId)).filter((row) => !before.has(row.request_id))
    // The outcome of a request to a carrier or payment provider is stored in a second transaction, which has its own
    // audit row.
    const isAnswered = fixtures[id].partnerFields !== undefined
    const own = isAnswered ? rows.filter(({ action }) => action === of.endpoint.audits?.action) : rows
    expect(own).toMatchObject([
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
  )('the operation %s adds no row to any table when the request is forbidden or invalid, or names an unknown record', async (id) => {
    const api = started()
    const of = await arrange(started(), id, shop)
    const { token: weak } = await mintToken(api.context, shop.tenant, {
      scopes: everyScope.filter((scope) => scope !== scopeOf(id)),
    })
    const before = await contentsOf(api)
    expect((await of.send({})).status).toBe(401)
    expect((await of.send({ token: weak })).status).toBe(403)
    expect((await invalid(of).send({ token: shop.token })).status).toBe(400)
    if (of.body !== undefined) expect((await of.send({ token: shop.token, body: '{' })).status).toBe(400)
    if (fixtures[id].notFound !== undefined) expect((await of.send({ token: other.token })).status).toBe(404)
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for(reads)('the operation %s, which only reads, adds no row to any table', async (id) => {
    const api = started()
    const of = await arrange(started(), id, shop)
    const before = await contentsOf(api)
    expect((await of.send({ token: of.shop.token })).status).toBe(200)
    expect(await contentsOf(api)).toEqual(before)
  })
})
