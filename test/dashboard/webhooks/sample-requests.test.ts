import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { openShop } from '../../support/shop.ts'

/** Tests the curl commands that the dashboard shows on pages without records: each command is sent to the API. */

const api = useApi()

/** Returns the URL and the body of the only curl command on a page. */
function commandOf(text: string): { readonly url: string; readonly body: string | null } {
  const plain = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const [, url = '', body = null] = /curl -sS '([^']+)' -H [^\\<]*(?:\\\s+-d '([^']+)')?/.exec(plain) ?? []
  return { url, body }
}

test.for([
  ['events', 200],
  ['requests', 200],
] as const)('the sample request on the empty dashboard page %s returns %s', async ([page, status]) => {
  const shop = await openShop(api().context)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const { url, body } = commandOf((await owner.get(`/dashboard/${page}`)).text)
  expect(url).toMatch(/^http:\/\/[^/]+\/api\/v1\//)
  const response = await fetch(new URL(new URL(url).pathname + new URL(url).search, api().url), {
    method: body === null ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${shop.token}`,
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    // Replaces the placeholders of a command with ids, as a reader would.
    body: body?.replace(/(var|ord)_…/, `$1_${'0'.repeat(26)}`) ?? null,
  })
  expect([response.status, await response.json()]).toEqual([status, expect.anything()])
})

test.for([
  ['orders', '/dashboard/orders/new'],
  ['shipments', '/dashboard/orders'],
  ['stock', '/dashboard/products/new'],
  ['products', '/dashboard/products/new'],
  ['discounts', '/dashboard/discounts/new'],
] as const)('the empty dashboard page %s links to the page that creates its first record, except for a viewer', async ([
  page,
  next,
]) => {
  const shop = await openShop(api().context)
  const emptyPart = async (role: 'owner' | 'viewer') =>
    (await (await signedIn(api(), shop.merchantId, role)).get(`/dashboard/${page}`)).text.split('class="empty"')[1]
  expect(await emptyPart('owner')).toContain(`href="${next}"`)
  const seen = await emptyPart('viewer')
  expect(seen).toContain('There are no ')
  expect(seen?.split('</div>')[0]).not.toContain('href=')
})
