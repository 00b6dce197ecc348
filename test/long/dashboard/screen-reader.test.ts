import axe from 'axe-core'
import { beforeAll, expect, test } from 'vitest'
import { type FullShop, openFullShop } from '../../dashboard/full-shop.ts'
import { views } from '../../dashboard/page-faults.ts'
import { type Walk, walk } from '../../dashboard/walk.ts'
import { useApi } from '../../support/api.ts'
import { describeInBrowser, useBrowser, type Visit } from '../../support/reference/browser.ts'

/** The pages as a screen reader presents them: the roles and the names of their elements. */

/** The pages that the members of a shop open most often. */
const usualPages = [
  '',
  '/orders',
  '/orders/{id}',
  '/orders/new',
  '/orders/{id}/dispatch',
  '/shipments',
  '/shipments/{id}',
  '/products',
  '/products/{id}',
  '/customers',
]

/** An element in the accessibility tree. */
interface Element {
  readonly role: string
  readonly name: string
  /** The level of a heading. */
  readonly level: number | undefined
}

/** The roles of elements that a member fills in or chooses. */
const controls = new Set(['textbox', 'searchbox', 'checkbox', 'radio', 'combobox', 'spinbutton', 'listbox'])

async function elementsOf({ context, page }: Visit): Promise<readonly Element[]> {
  const session = await context.newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => {
      const level = properties.find((property) => property.name === 'level')?.value.value
      return {
        role: String(role?.value ?? ''),
        name: String(name?.value ?? '').trim(),
        level: typeof level === 'number' ? level : undefined,
      }
    })
}

/** Returns the faults in the page structure that a screen reader announces. */
function faultsIn(elements: readonly Element[]): readonly string[] {
  const of = (role: string) => elements.filter((element) => element.role === role)
  const headings = of('heading').filter(({ level }) => level === 1)
  // Leaves out the buttons that the browser adds to date fields.
  const buttons = of('button').flatMap(({ name }) => (name.startsWith('Show date picker') ? [] : [name]))
  const repeated = buttons.filter((name, index) => buttons.indexOf(name) !== index)
  return [
    ...(headings.length === 1 ? [] : [`${headings.length} headings of level 1`]),
    ...['banner', 'main'].flatMap((role) => (of(role).length === 1 ? [] : [`${of(role).length} ${role} landmarks`])),
    ...(of('navigation').some(({ name }) => name === 'Dashboard') ? [] : ['no navigation landmark']),
    ...elements
      .filter(
        ({ role, name }) => name === '' && (controls.has(role) || ['navigation', 'table', 'region'].includes(role)),
      )
      .map(({ role }) => `a ${role} without a name`),
    ...buttons.filter((name) => name.length < 2).map((name) => `a button with the name “${name}”`),
    ...repeated.map((name) => `two buttons with the name “${name}”`),
  ]
}

const contrast = `axe.run({ runOnly: ['color-contrast'] }).then(({ passes, violations }) => [
  passes.flatMap(({ nodes }) => nodes).length,
  violations.flatMap(({ nodes }) => nodes).length,
])`

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()
  let full: FullShop
  let walked: Walk
  let cookies: { name: string; value: string; url: string }[]

  beforeAll(async () => {
    full = await openFullShop(api())
    cookies = [...full.owner.cookies].map(([name, value]) => ({ name, value, url: api().url }))
    walked = await walk(full.owner)
  })

  const addressOf = (path: string) => walked.stops.find(({ name }) => name === `page ${path}`)?.address ?? ''

  test.for([
    'desktopLight',
    'phoneLight',
  ] as const)('the usual pages of the dashboard have landmarks, one main heading, and names for all fields, tables and buttons (%s)', async (view) => {
    const visited = await open({ viewport: views[view].viewport })
    await visited.context.addCookies(cookies)
    const faults: string[] = []
    for (const path of usualPages) {
      await visited.page.goto(api().url + addressOf(path))
      const elements = await elementsOf(visited)
      expect(elements.length).toBeGreaterThan(20)
      faults.push(...faultsIn(elements).map((fault) => `${path}: ${fault}`))
    }
    expect(faults).toEqual([])
    await visited.close()
  })

  test('every text on the usual pages of the dashboard has sufficient contrast in the light and in the dark colour scheme', async () => {
    const visited = await open()
    await visited.context.addCookies(cookies)
    for (const path of usualPages) {
      await visited.page.goto(api().url + addressOf(path))
      await visited.page.evaluate(axe.source)
      for (const { colorScheme } of [views.desktopLight, views.desktopDark]) {
        await visited.page.emulateMedia({ colorScheme })
        const [measured = 0, low] = await visited.page.evaluate<number[]>(contrast)
        expect([path, measured > 5, low]).toEqual([path, true, 0])
      }
    }
    await visited.close()
  })
})
