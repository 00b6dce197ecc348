import { expect, test } from 'vitest'
import { searchTerms } from '../../scripts/reference/search-terms.ts'
import { loadReference, urlOf } from '../../src/reference/pages.ts'
import { openSearch, searchData } from '../../src/reference/search.ts'

/** Synonyms, terms of other APIs and former names find the right page. */

const reference = await loadReference(new URL('../../generated/reference/', import.meta.url))
const search = openSearch(searchData(reference))

/** The number of results that are visible without scrolling. */
const visibleResults = 5

test.for(
  Object.entries(searchTerms).flatMap(([path, terms]) => terms.map((term) => [term, path] as const)),
)('“%s” finds %s', ([term, path]) => {
  const urls = search(term)
    .slice(0, visibleResults)
    .map(({ url }) => url)
  expect(urls).toContain(urlOf(path))
})

test.for([
  ['quickstart', 'guides/quick-start'],
  ['sdk', 'guides/typescript-client'],
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
] as const)('“%s” finds %s first', ([term, path]) => {
  expect(search(term)[0]?.url).toBe(urlOf(path))
})
