import { beforeAll, describe, expect, test } from 'vitest'
import type { EndpointId } from '../../registry/index.ts'
import { type Reply, useApi } from '../support/api.ts'
import { arrange, writes } from '../support/contract/operation.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { withoutIds } from './fixture.ts'
import { fixtures } from './fixtures.ts'

/** A dry run of a write returns the same response as the real request and stores nothing. */

const started = useApi()

let shop: Shop
let other: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
  other = await openShop(started().context)
})

describe('Service-Dry-Run', () => {
  test.for(
    writes,
  )('the operation %s returns the same reply in a dry run as in a real request, and the dry run adds no row to any table', async (id) => {
    const api = started()
    const of = await arrange(started(), id, shop)
    const before = await contentsOf(api)
    const dry = await of.send({ token: shop.token, headers: { 'Service-Dry-Run': 'true' } })
    expect(await contentsOf(api)).toEqual(before)
    const real = await of.send({ token: shop.token, headers: { 'Service-Dry-Run': 'false' } })
    expect(dry.status).toBe(real.status)
    expect(dry.headers.get('service-dry-run')).toBe('true')
    expect(real.headers.get('service-dry-run')).toBeNull()
    expect(Object.keys(dry.body)).toEqual(Object.keys(real.body))
    expect(comparable(id, dry)).toBe(comparable(id, real))
  })

  test.for(writes)('the operation %s returns the same error in a dry run as in a real request', async (id) => {
    if (fixtures[id].notFound === undefined) return
    const of = await arrange(started(), id, shop)
    const dry = await of.send({ token: other.token, headers: { 'Service-Dry-Run': 'true' } })
    const real = await of.send({ token: other.token })
    expect(withoutIds(dry.text)).toBe(withoutIds(real.text))
  })

  test.for(writes)('the operation %s rejects any value of Service-Dry-Run other than true and false', async (id) => {
    const api = started()
    const of = await arrange(started(), id, shop)
    const before = await contentsOf(api)
    for (const value of ['TRUE', '1', 'yes', '']) {
      const reply = await of.send({ token: shop.token, headers: { 'Service-Dry-Run': value } })
      expect(reply.body.error.errors).toMatchObject([{ path: 'header.Service-Dry-Run' }])
    }
    expect(await contentsOf(api)).toEqual(before)
  })
})

/**
 * Returns the text of a response without the values that differ from run to run or come from a carrier or payment
 * provider.
 */
function comparable(id: EndpointId, { body, text }: Reply): string {
  const { partnerFields } = fixtures[id]
  if (partnerFields === undefined) return withoutRandom(text)
  return withoutRandom(JSON.stringify({ ...body, ...Object.fromEntries(partnerFields.map((name) => [name, null])) }))
}

/**
 * Replaces order numbers, references of payment links and the placeholders for anonymised customers, because they differ
 * from run to run, as ids do.
 */
function withoutRandom(text: string): string {
  return withoutIds(text).replace(/ORD-\w+|anon-\w+|pln-\w+/g, '')
}
