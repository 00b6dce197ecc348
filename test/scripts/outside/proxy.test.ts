import { afterAll, beforeAll, expect, test } from 'vitest'
import { openValidatingProxy, upstreamHeader, type ValidatingProxy } from '../../../scripts/outside/validating-proxy.ts'
import { useApi } from '../../support/api.ts'
import { type ProxiedResponse, withFaultyServer } from '../../support/contract/faulty-server.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/**
 * Prism, an independent validating proxy, must find deviations of the service from its OpenAPI document. `npm run
 * proxy-check` places Prism in front of the whole test suite.
 */

const started = useApi()

let shop: Shop
let proxy: ValidatingProxy
beforeAll(async () => {
  shop = await openShop(started().context)
  const document: object = JSON.parse((await started().send('GET', '/api/v1/openapi.json')).text)
  proxy = await openValidatingProxy('openapi.json', document)
})
afterAll(() => proxy.close())

/** Changes the response of GET /orders. Returns the violations that Prism reports for the changed response. */
async function violationsOf(answer: (real: ProxiedResponse) => ProxiedResponse): Promise<string[]> {
  const { violations, validated, faults } = proxy.tally
  violations.length = 0
  const before = validated.get('listOrders') ?? 0
  await withFaultyServer(started().url, { answer: (_, real) => answer(real) }, async ({ origin }) => {
    const headers = { Authorization: `Bearer ${shop.token}`, [upstreamHeader]: origin }
    await (await fetch(`${proxy.url}/api/v1/orders`, { headers })).text()
  })
  expect(faults).toEqual([])
  expect(validated.get('listOrders')).toBe(before + 1)
  return [...violations]
}

test('the validating proxy finds no violation in the service’s responses', async () => {
  expect(await violationsOf((real) => real)).toEqual([])
})

test.for<[string, RegExp, (real: ProxiedResponse) => ProxiedResponse]>([
  [
    'a missing field',
    /limit/,
    (real) => ({ ...real, text: JSON.stringify({ data: [], pagination: { cursor: null, hasMore: false } }) }),
  ],
  [
    'a field of another type',
    /hasMore/,
    (real) => ({ ...real, text: JSON.stringify({ data: [], pagination: { cursor: null, limit: 25, hasMore: 'no' } }) }),
  ],
  ['an undeclared status', /418/, (real) => ({ ...real, status: 418 })],
])('the validating proxy finds responses with %s', async ([, words, answer]) => {
  const found = await violationsOf(answer)
  expect(found.length).toBeGreaterThan(0)
  expect(found.join('\n')).toMatch(words)
})
