import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { clientMethods } from '../../generated/client-methods.ts'
import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { createCommerce } from '../../src/client/commerce.ts'
import { CommerceError } from '../../src/client/error.ts'
import { useApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'

const started = useApi()

async function openCommerce() {
  const api = started()
  const { token } = await openShop(api.context)
  return createCommerce({ baseUrl: `${api.url}/api/v1`, token, maxRetries: 0 })
}

test('the client has one method for each operation, except exports, which the client returns as streams', () => {
  const methods = Object.values(clientMethods).flatMap((resource) => Object.values(resource))
  const withMethod = Object.values<Endpoint>(endpoints).filter(({ kind }) => kind !== 'export')
  const operations = withMethod.map(({ method, path }) => `${method} ${path}`)
  expect(methods.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(operations.sort())
})

test('the client creates, reads, updates, lists and deletes a record', async () => {
  const commerce = await openCommerce()
  const created = await commerce.products.create({ title: 'Dress', variants: [{ priceKobo: 100 }] })
  expect(await commerce.products.get(created.id)).toEqual(created)
  const [variant] = created.variants
  const updated = await commerce.variants.update(created.id, variant?.id ?? '', { priceKobo: 200 })
  expect(updated.variants[0]?.priceKobo).toBe(200)
  const titles: string[] = []
  for await (const { title } of commerce.products.list({ limit: 1, status: ['draft'] })) titles.push(title)
  expect(titles).toEqual(['Dress'])
  await commerce.products.delete(created.id)
  await expect(commerce.products.get(created.id)).rejects.toMatchObject({ code: 'product_not_found', status: 404 })
})

test('the client sends the documented request header for each option', async () => {
  const commerce = await openCommerce()
  const { id } = await commerce.customers.create({ name: 'Adaeze', email: `${randomUUID()}@example.com` })
  const outdated = commerce.customers.update(id, { name: 'Ada' }, { headers: { 'If-Match': '"v9"' } })
  await expect(outdated).rejects.toThrow(CommerceError)
  await expect(outdated).rejects.toMatchObject({ code: 'version_conflict' })
  expect((await commerce.customers.update(id, { name: 'Ada' }, { headers: { 'If-Match': '"v1"' } })).name).toBe('Ada')
})

test('the client sends the query parameters of a read request', async () => {
  const commerce = await openCommerce()
  for await (const { id } of commerce.zones.list({ limit: 1 })) {
    const { zoneId } = await commerce.surge.get({ zone: id })
    expect(zoneId).toBe(id)
    return
  }
  expect.fail('There are no delivery zones.')
})

test('a client call rejects when the signal in its options is aborted', async () => {
  const commerce = await openCommerce()
  const aborted = commerce.orders.cancel(
    'ord_1',
    { reason: 'other' },
    { signal: AbortSignal.abort(new Error('The user left.')) },
  )
  await expect(aborted).rejects.toMatchObject({ name: 'NoResponseError', cause: new Error('The user left.') })
})

test('the client returns an export as a stream or as one document, and errors of exports have the same form as errors of other operations', async () => {
  const commerce = await openCommerce()
  await commerce.products.create({ title: 'Dress', variants: [{ priceKobo: 100 }] })
  started().clock.advance(1)
  const lines = { params: { query: { format: 'ndjson' } } } as const
  const streamed = await commerce.GET('/exports/products', { ...lines, parseAs: 'stream' })
  expect(JSON.parse(await new Response(streamed.data).text())).toMatchObject({ title: 'Dress' })
  const { data } = await commerce.GET('/exports/products')
  expect(data?.data).toMatchObject([{ title: 'Dress' }])
  const query = { createdFrom: '2026-02-01T00:00:00Z', createdTo: '2026-01-01T00:00:00Z' }
  const { error } = await commerce.GET('/exports/products', { params: { query }, parseAs: 'stream' })
  expect(error?.error.code).toBe('invalid_time_range')
})
