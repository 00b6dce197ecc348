import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { searchTerms } from '../../scripts/reference/search-terms.ts'
import { generatedReference, parseReference, urlOf } from '../../src/reference/pages.ts'
import { openSearch, openSearchTime, searchData } from '../../src/reference/search.ts'

/** A search for synonyms, terms of other APIs and former names finds the right page of the reference. */

const reference = parseReference(await readFile(new URL('index.json', generatedReference), 'utf8'))
const search = await openSearch(searchData(reference))

/** Number of search results that are visible without scrolling. */
const visibleResults = 5

test.for(
  Object.entries(searchTerms).flatMap(([path, terms]) => terms.map((term) => [term, path] as const)),
)('the reference search for “%s” finds %s', ([term, path]) => {
  const urls = search(term)
    .slice(0, visibleResults)
    .map(({ url }) => url)
  expect(urls).toContain(urlOf(path))
})

test.for([
  ['quickstart', 'guides/quick-start'],
  ['sdk', 'guides/client-libraries'],
  ['optimistic concurrency', 'guides/concurrency-control'],
  ['shipping rates', 'api/logistics/createQuote'],
  ['reservation', 'api/products/adjustInventory'],
  ['sandbox', 'guides/test-mode'],
  ['rate limit', 'guides/rate-limits'],
  ['api key', 'guides/authentication'],
  ['giveRefundBankDetails', 'api/refunds/setRefundBankDetails'],
  ['schedulePredictively', 'api/logistics/createPredictiveSchedule'],
  ['listMovements', 'api/products/listInventoryMovements'],
  ['no_news', 'api/logistics/getShipment'],
  ['made-up carrier', 'guides/test-mode'],
] as const)('the reference search for “%s” finds %s first', ([term, path]) => {
  expect(search(term)[0]?.url).toBe(urlOf(path))
})

test.for([
  ['how do I refund', 'api/refunds/createRefund'],
  ['refund', 'api/refunds/createRefund'],
  ['402', 'errors/carrier_wallet_insufficient'],
  ['429', 'guides/rate-limits'],
  ['cash on delivery', 'guides/payments'],
  ['duplicate order', 'guides/idempotency'],
  ['how do I create an order', 'api/orders/createOrder'],
  ['cancel an order', 'api/orders/cancelOrder'],
  ['how do I verify a webhook', 'webhook-signatures'],
  ['webhook retry schedule', 'guides/webhooks'],
  ['disabled endpoint', 'guides/webhooks'],
  ['create a token', 'guides/authentication'],
  ['next page', 'guides/pagination'],
  ['how do I ship an order', 'api/logistics/dispatchShipment'],
  ['delivery price', 'api/logistics/createQuote'],
  ['where is my order', 'api/logistics/trackShipment'],
  ['cancel a shipment', 'api/logistics/cancelShipment'],
  ['record a payment', 'api/payments/recordPayment'],
  ['how do I add a product', 'api/products/createProduct'],
  ['change the price of a product', 'api/products/updateVariant'],
  ['discount code', 'api/discounts/createDiscount'],
  ['delete a customer', 'api/customers/deleteCustomer'],
  ['idempotency key', 'guides/idempotency'],
  ['test mode', 'guides/test-mode'],
  ['openapi document', 'api/description/getOpenApiDocument'],
  ['audit log', 'guides/audit-log'],
  ['no_carrier_available', 'errors/no_carrier_available'],
  ['delivery zones', 'api/logistics/listZones'],
  ['409', 'errors'],
  ['track a shipment', 'api/logistics/trackShipment'],
] as const)('the reference search for the question “%s” finds %s first', ([question, path]) => {
  expect(search(question)[0]?.url).toBe(urlOf(path))
})

test('the server’s search of the reference looks up the first ten words of a query only', () => {
  const ten = 'refund order customer product discount shipment webhook payment token zone'
  const found = search(`${ten} idempotency_conflict`)
  expect(found.length).toBeGreaterThan(0)
  expect(found).toEqual(search(ten))
})

test('searches may use 50 ms of processor time in a burst and a tenth of the processor time in the long run; further searches are rejected', () => {
  let atMs = 0
  let usedMs = 0
  const withinSearchTime = openSearchTime({ nowMs: () => atMs, processorMs: () => usedMs })
  const searchFor = (ms: number) =>
    withinSearchTime(() => {
      atMs += ms
      usedMs += ms
      return 'found'
    })
  expect([searchFor(30), searchFor(30), searchFor(30)]).toEqual(['found', 'found', undefined])
  // After another hundred milliseconds, searches may use ten more milliseconds of processor time.
  atMs += 100
  expect([searchFor(10), searchFor(10)]).toEqual(['found', undefined])
})

test('the time that a search waits for the processor does not count towards the processor time limit of searches', () => {
  let atMs = 0
  let usedMs = 0
  const withinSearchTime = openSearchTime({ nowMs: () => atMs, processorMs: () => usedMs })
  const found = Array.from({ length: 5 }, () =>
    withinSearchTime(() => {
      atMs += 100
      usedMs += 12
      return 'found'
    }),
  )
  expect(found).not.toContain(undefined)
})
