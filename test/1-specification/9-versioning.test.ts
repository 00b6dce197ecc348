import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { openApiDocument } from '../../registry/openapi/openapi.ts'
import { type ReplyBody, useApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'

const api = useApi()

test('spec 9: the version of the API is part of the path', async () => {
  const { token } = await openShop(api().context)
  const statusOf = async (path: string) => (await api().send('GET', path, { token })).status
  expect(await statusOf('/api/v1/orders')).toBe(200)
  expect(await statusOf('/api/orders')).toBe(404)
  expect(await statusOf('/api/v2/orders')).toBe(404)
})

test('spec 9: the OpenAPI 3.1 document at /api/v1/openapi.json is generated from the registry', async () => {
  const { body } = await api().send('GET', '/api/v1/openapi.json')
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

test('spec 9: the reference documentation is generated from the registry, with a page for each operation', async () => {
  const index = await readFile(new URL('../../generated/reference/index.json', import.meta.url), 'utf8')
  for (const id of Object.keys(endpoints)) expect(index).toContain(`/${id}`)
})

test('spec 9: predictive-schedule is marked beta', async () => {
  const { body } = await api().send('GET', '/api/v1/openapi.json')
  const operations = Object.values<ReplyBody>(body.paths).flatMap((path) => Object.values<ReplyBody>(path))
  const beta = operations.filter((operation) => operation['x-stability'] === 'beta')
  expect(beta.map(({ operationId }) => operationId)).toEqual(['createPredictiveSchedule'])
})

test('spec 9: a changelog announces changes of the API', async () => {
  const { status, body } = await api().send('GET', '/api/v1/changelog')
  expect(status).toBe(200)
  expect(body.data.length).toBeGreaterThan(0)
})
