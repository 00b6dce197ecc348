import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { allRoutes } from '../../src/dashboard/routes.ts'
import { useApi } from '../support/api.ts'
import { formOf } from '../support/dashboard.ts'
import { type FullShop, openFullShop } from './full-shop.ts'
import { type Walk, walk } from './walk.ts'

/** The main action of each page of the dashboard: its only filled button or link outside of the rows of tables. */

const api = useApi()
let full: FullShop
let walked: Walk

beforeAll(async () => {
  full = await openFullShop(api())
  walked = await walk(full.owner)
})

/** Returns the texts of the filled buttons and links of a page, except those in the rows of its tables. */
function mainActionsOf(page: string): readonly string[] {
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? []
  const outside = main.replaceAll(/<td[\s>][\s\S]*?<\/td>/g, '')
  return [...outside.matchAll(/<(?:a|button)\b[^>]* class="main[ "][^>]*>([^<]*)/g)].map(([, text = '']) => text)
}

/** Pages without a main action: the next step is to read them, or to open one of the records that they list. */
const withoutAction = ['/customers/{id}/anonymise', '/events/{id}', '/requests/{id}']

const patterns = allRoutes
  .filter(({ kind }) => kind === 'page')
  .map(({ path }) => ({ path, pattern: new RegExp(`^/dashboard${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

test('each page of the dashboard has exactly one main action, except pages that this test lists and pages that say that there is nothing to do', () => {
  const several: string[] = []
  const none = new Set<string>()
  for (const [address, page] of walked.opened) {
    const actions = mainActionsOf(page)
    if (actions.length > 1) several.push(`${address}: ${actions.join(', ')}`)
    const [path = ''] = address.split('?')
    if (actions.length === 0 && !/<p class="next">[^<]*Nothing to do:/.test(page))
      none.add(patterns.find(({ pattern }) => pattern.test(path))?.path ?? path)
  }
  expect(several).toEqual([])
  expect([...none].toSorted()).toEqual(withoutAction)
})

test('no page of the dashboard shows “Nothing to do” as the next step', () => {
  const pages = [...walked.opened].filter(([, page]) => /Next step:<\/strong>[^<]*Nothing to do/.test(page))
  expect(pages.map(([address]) => address)).toEqual([])
})

test('each page that the dashboard returns for a submitted form has at most one main action', async () => {
  const { csrf = '' } = formOf((await full.owner.get('/dashboard')).text, '/dashboard/sign-out')
  const several: string[] = []
  for (const { name, address, fields, route } of walked.stops) {
    if (route.kind !== 'action') continue
    for (const sent of [fields, {}]) {
      const { confirmed: _, ...values } = sent
      const form = newId('frm', api().clock.nowMs())
      const { text } = await full.owner.ask(address, { ...values, csrf, form })
      const actions = mainActionsOf(text)
      if (actions.length > 1) several.push(`${name}: ${actions.join(', ')}`)
    }
  }
  expect(several).toEqual([])
})

test('the page of each record of the shop leads back to the list of these records', () => {
  for (const list of ['orders', 'shipments', 'refunds', 'returns', 'customers', 'discounts']) {
    const pattern = new RegExp(`^/dashboard/${list}/[a-z]{3}_\\w+$`)
    const pages = [...walked.opened].filter(([address]) => pattern.test(address))
    expect(pages, list).not.toEqual([])
    for (const [address, page] of pages)
      expect(page, address).toContain(`<p class="back"><a href="/dashboard/${list}">All ${list}</a></p>`)
  }
})

test('each dashboard page without a navigation entry of its own marks the navigation entry to which the page belongs', async () => {
  for (const [path, entry] of [
    ['/stock', '/products'],
    ['/imports', '/products'],
    ['/activity', '/reports'],
  ])
    expect((await full.owner.get(`/dashboard${path}`)).text).toContain(`href="/dashboard${entry}" aria-current="page"`)
})
