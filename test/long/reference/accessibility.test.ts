import axe from 'axe-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { guidePages } from '../../../scripts/reference/guides.ts'
import {
  type ExplorerException,
  explorerExceptions,
  mostExplorerExceptions,
} from '../../reference/explorer-exceptions.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { describeInBrowser, useBrowser, type Visit } from '../../support/reference/browser.ts'

/** One page of each page template. The tested guide has code in every programming language. */
const templates = [
  '/docs',
  '/docs/api/refunds/createRefund',
  '/docs/errors/refund_exceeds_refundable',
  '/docs/webhooks/order.refunded',
  '/docs/lifecycles/order',
  '/docs/search?q=refund',
  '/docs/nonsense',
  '/docs/guides/errors',
]
const guides = Object.values(await guidePages())
  .flat()
  .map(({ path }) => `/docs/${path}`)

/** The rules of axe that check colours. Its other rules do not depend on the colour scheme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** A longer timeout: the script of the API explorer is megabytes in size, and renders the whole OpenAPI document. */
const explorerMs = 120_000

const wide = { width: 1280, height: 900 }
const narrow = { width: 390, height: 900 }

interface Violation {
  readonly rule: string
  readonly html: string
  /** Index of the exception that matches the axe violation. -1 if no exception matches. */
  readonly exception: number
}

describeInBrowser('axe finds nothing', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi
  // All pages are opened in one browser context, so that shared files are loaded once.
  let visited: Visit

  beforeAll(async () => {
    api = started()
    visited = await visit({ colorScheme: 'light', viewport: wide })
  })

  async function open(path: string): Promise<void> {
    await visited.page.emulateMedia({ colorScheme: 'light' })
    await visited.page.setViewportSize(wide)
    await visited.page.goto(api.url + path)
    await visited.page.evaluate(axe.source)
  }

  /**
   * Runs axe in the page and returns only violations, because transferring the passed checks would take longer than the
   * checks themselves.
   */
  async function violations(within: string, rules: readonly string[] = []): Promise<Violation[]> {
    const only = rules.length === 0 ? {} : { runOnly: rules }
    const options = JSON.stringify({ resultTypes: ['violations'], ...only })
    return visited.page.evaluate<Violation[]>(`axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) => {
      const exceptions = ${JSON.stringify(explorerExceptions)}
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => ({
        rule: id,
        html,
        exception: exceptions.findIndex(({ rule, selector }) =>
          rule === id && document.querySelector(target[0])?.matches(selector)),
      })))
    })`)
  }

  async function expectNothing(rules?: readonly string[]): Promise<void> {
    expect(await violations('html', rules)).toEqual([])
  }

  async function expectToFit(): Promise<void> {
    expect(
      await visited.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0)
  }

  test.for([
    ...new Set([...templates, ...guides]),
  ])('the API reference is accessible on %s, and the page is not wider than the window', async (path) => {
    await open(path)
    await expectNothing()
    await expectToFit()
    await visited.page.setViewportSize(narrow)
    await expectToFit()
    // The remaining combinations of colour scheme and width are checked only for `templates`, because they depend only
    // on the page template: all colours are CSS variables, which colours.test.ts compares, and one style sheet adapts
    // every page to a narrow screen.
    if (!templates.includes(path)) return
    await visited.page.emulateMedia({ colorScheme: 'dark' })
    await expectNothing()
    await visited.page.setViewportSize(wide)
    await expectNothing(colourRules)
    // Light and narrow is not checked: narrow.css changes layout and sizes, and no colour.
  })

  test('the API reference is accessible with the list of search results open', async () => {
    await open('/docs')
    const { page } = visited
    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    await page.locator('.hits [role=option]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await violations('header')).toEqual([])
  })

  describe('accessibility of the API explorer', { timeout: explorerMs }, () => {
    const needed = new Set<ExplorerException | undefined>()

    async function expectExceptionsOnly(rules?: readonly string[]): Promise<void> {
      const found = await violations('html', rules)
      expect(found.filter(({ exception }) => exception < 0)).toEqual([])
      for (const { exception } of found) needed.add(explorerExceptions[exception])
    }

    test.for([
      'light',
      'dark',
    ] as const)('the API explorer is accessible in the %s colour scheme, except for the elements that its script creates', async (scheme) => {
      const { page } = visited
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize(wide)
      await page.goto(`${api.url}/docs/explorer`)
      await page
        .getByRole('button', { name: /Test Request/ })
        .first()
        .waitFor()
      await page.evaluate(axe.source)
      await expectExceptionsOnly(scheme === 'dark' ? colourRules : undefined)
      if (scheme === 'dark') return
      await page.setViewportSize(narrow)
      await expectExceptionsOnly()
    })

    test('every accessibility exception of the API explorer is needed, and the number of exceptions has not grown', () => {
      expect(explorerExceptions.filter((exception) => !needed.has(exception))).toEqual([])
      expect(explorerExceptions.length).toBeLessThanOrEqual(mostExplorerExceptions)
    })
  })
})
