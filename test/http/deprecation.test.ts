import { expect, test } from 'vitest'
import { faultsOf } from '../../registry/openapi/guard.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { documentOf } from '../../registry/openapi/openapi.ts'
import type { Deprecation } from '../../registry/values/deprecation.ts'
import { operationsOf } from '../../src/operations/execute/operations-of.ts'
import { implementations } from '../../src/operations/implementations.ts'
import { contractOf } from '../registry/small-contract.ts'
import { useApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'

const deprecated: Deprecation = { since: '2026-11-21', sunset: '2027-11-21', advice: 'Call listPayments instead.' }

const started = useApi({
  operations: operationsOf(implementations).map((operation) => {
    const { endpoint } = operation
    return endpoint.id === 'listRefunds' ? { ...operation, endpoint: { ...endpoint, deprecated } } : operation
  }),
})

const announced = {
  deprecation: '@1795219200',
  sunset: 'Sun, 21 Nov 2027 00:00:00 GMT',
  link: '</docs/api/refunds/listRefunds>; rel="deprecation"; type="text/html"',
}

const announcedIn = (headers: Headers) => {
  return Object.fromEntries(Object.keys(announced).map((name) => [name, headers.get(name)]))
}

test('a deprecated operation works and returns the deprecation headers', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const reply = await api.send('GET', '/api/v1/refunds', { token })
  expect(reply.status).toBe(200)
  expect(announcedIn(reply.headers)).toEqual(announced)
})

test('error responses of a deprecated operation have the deprecation headers too', async () => {
  const reply = await started().send('GET', '/api/v1/refunds')
  expect(reply.status).toBe(401)
  expect(announcedIn(reply.headers)).toEqual(announced)
})

test('operations that are not deprecated return no deprecation headers', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const reply = await api.send('GET', '/api/v1/orders', { token })
  expect(announcedIn(reply.headers)).toEqual({ deprecation: null, sunset: null, link: null })
})

test('the OpenAPI document marks a deprecated operation as deprecated and declares its headers Deprecation, Sunset and Link', () => {
  const operation = at(documentOf(contractOf({ deprecated })), 'paths', '/things', 'post')
  expect(at(operation, 'deprecated')).toBe(true)
  expect(at(operation, 'x-deprecation')).toEqual(deprecated)
  const headers = Object.keys(Object(at(operation, 'responses', '201', 'headers')))
  expect(headers).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']))
})

test('a deprecated operation without an end date has no Sunset header', () => {
  const { sunset, ...open } = deprecated
  const contract = contractOf({ deprecated: open })
  const document = documentOf(contract)
  const headers = Object.keys(Object(at(document, 'paths', '/things', 'post', 'responses', '201', 'headers')))
  expect(sunset).toBeDefined()
  expect(headers).not.toContain('Sunset')
  expect(faultsOf(contract, document)).toEqual([])
})

test('a sunset date less than a year after the deprecation is rejected', () => {
  const contract = contractOf({ deprecated: { ...deprecated, sunset: '2027-11-20' } })
  expect(faultsOf(contract, documentOf(contract))).toEqual([expect.stringContaining('2027-11-21')])
})

test.for([
  { since: '2026-9-1' },
  { since: '2026-09-01', sunset: '2027-9-1' },
  { since: '2026-09-01', sunset: '2027-13-01' },
] as const)('a malformed or impossible deprecation date is rejected: %o', (days) => {
  const contract = contractOf({ deprecated: { ...days, advice: 'Call another.' } })
  expect(faultsOf(contract, documentOf(contract))).toEqual([expect.stringContaining('Write days as 2027-09-01')])
})
