import { AxeBuilder } from '@axe-core/playwright'
import axe from 'axe-core'
import { beforeAll, expect, test } from 'vitest'
import { type TestApi, useApi } from '../support/api.ts'
import { describeInBrowser, useBrowser } from '../support/browser.ts'

/** Axe looks at every element of seven pages. */
const allPagesMs = 180_000

const paths = [
  '/docs',
  '/docs/api/refunds/createRefund',
  '/docs/errors/refund_exceeds_refundable',
  '/docs/webhooks/order.refunded',
  '/docs/states/order',
  '/docs/search?q=refund',
  '/docs/nonsense',
]

describeInBrowser('the reference for everybody', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi

  beforeAll(() => {
    api = started()
  })

  test.for([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('axe finds nothing in %s colours at %i pixels, and nothing is wider than the window', {
    timeout: allPagesMs,
  }, async ([scheme, width]) => {
    const visited = await visit({ colorScheme: scheme, viewport: { width, height: 900 } })
    const { page } = visited
    for (const path of paths) {
      await page.goto(api.url + path)
      const { violations } = await new AxeBuilder({ page, axeSource: axe.source }).analyze()
      const found = violations.map(
        ({ id, nodes }) =>
          `${path} ${id}: ${nodes
            .map(({ html }) => html)
            .slice(0, 3)
            .join('  ')}`,
      )
      expect(found).toEqual([])
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
        path,
      ).toBeLessThanOrEqual(0)
    }
    await visited.close()
  })

  test('axe finds nothing with the list of found pages open', async () => {
    const visited = await visit()
    const { page } = visited
    await page.goto(`${api.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    await page.locator('.hits [role=option]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    const { violations } = await new AxeBuilder({ page, axeSource: axe.source }).include('header').analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([])
    await visited.close()
  })
})
