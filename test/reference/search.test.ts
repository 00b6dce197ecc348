import { expect, test } from 'vitest'
import { searchTerms } from '../../scripts/reference/search-terms.ts'
import { loadReference, urlOf } from '../../src/reference/pages.ts'
import { openSearch, searchData } from '../../src/reference/search.ts'

/** Terms of other APIs lead to the intended page. */

const reference = await loadReference(new URL('../../generated/reference/', import.meta.url))
const search = openSearch(searchData(reference))

/** The number of results visible without scrolling. */
const seen = 5

test.for(
  Object.entries(searchTerms).flatMap(([path, terms]) => terms.map((term) => [term, path] as const)),
)('“%s” finds %s', ([term, path]) => {
  const urls = search(term)
    .slice(0, seen)
    .map(({ url }) => url)
  expect(urls).toContain(urlOf(path))
})

test.for([
  ['quickstart', 'index'],
  ['sdk', 'guides/client'],
  ['optimistic concurrency', 'guides/optimistic-updates'],
  ['shipping rates', 'api/logistics/createQuote'],
  ['reservation', 'api/products/adjustInventory'],
  ['sandbox', 'guides/test-mode'],
  ['rate limit', 'guides/errors'],
  ['api key', 'guides/authentication'],
] as const)('“%s” finds %s first', ([term, path]) => {
  expect(search(term)[0]?.url).toBe(urlOf(path))
})
