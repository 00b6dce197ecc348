import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { systemClock } from '../../src/base/clock.ts'
import { runImport } from '../../src/commerce/imports/run-import.ts'
import { useApi, vault } from '../support/api.ts'
import { shopifyDress, shopifyFile } from '../support/commerce/import-files.ts'
import { moveOrderTo } from '../support/commerce/order-transitions.ts'
import { type SignedInMember, signedIn } from '../support/dashboard.ts'
import { describeInBrowser, useBrowser, type Visit } from '../support/reference/browser.ts'
import { openShop, placeOrder } from '../support/shop.ts'
import { openReceiver, status } from '../webhooks/receiver.ts'
import { openWebhookShop } from './webhooks/webhook-shop.ts'

const api = useApi()

/** A time longer than the interval at which a page of the dashboard updates itself. */
const updateMs = 11_000

describeInBrowser('the script of the pages', () => {
  const openVisit = useBrowser()

  /**
   * Opens a page. The browser's clock stands still until the test advances it. The clock stops before the page loads,
   * so that no update of the page is under way when the test begins.
   */
  async function open(member: SignedInMember, path: string): Promise<Visit> {
    const visit = await openVisit()
    const { context, page } = visit
    await context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url: api().url })))
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + updateMs)
    await page.goto(`${api().url}${path}`)
    return visit
  }

  /** Advances the browser's clock until the page updates itself. Returns whether the page requested new content. */
  async function update({ page, requested }: Visit): Promise<boolean> {
    const before = requested.length
    await page.clock.runFor(updateMs)
    return requested.length > before
  }

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

  async function openOrder() {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const order = await placeOrder(api(), shop)
    const ship = () => moveOrderTo(api(), shop, order.id, 'shipped')
    return { ship, visit: await open(member, `/dashboard/orders/${order.id}`) }
  }

  const shipped = (page: Page) => page.locator('.heading').getByText('shipped', { exact: true })

  test('on a page that updates itself, the browser script shows a change without a reload', async () => {
    const { visit, ship } = await openOrder()
    const { page, close } = visit
    await page.evaluate('document.body.dataset.mark = "loaded once"')
    await ship()
    await update(visit)
    await shipped(page).waitFor()
    expect(await page.evaluate('document.body.dataset.mark')).toBe('loaded once')
    await close()
  })

  test('the browser script shows the result of background work, such as the check of an import, and then stops polling', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const visit = await open(member, '/dashboard/imports')
    const { page, close } = visit
    const file = { name: 'products.csv', mimeType: 'text/csv', buffer: shopifyFile(shopifyDress) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Upload and check' }).click()
    await page.getByText('The file is being checked.').waitFor()
    await runImport(api().context, shop.merchantId)
    expect(await update(visit)).toBe(true)
    await page.getByText('1 would be created').waitFor()
    expect(await update(visit)).toBe(false)
    await page.getByRole('button', { name: 'Import 1 product' }).click()
    await page.getByText('The import was started.').waitFor()
    await runImport(api().context, shop.merchantId)
    await update(visit)
    await page.getByText('1 created').waitFor()
    await page.reload()
    await page.getByText('1 created').waitFor()
    expect(await page.getByText('The import was started.').count()).toBe(0)
    await close()
  })

  test('the browser script does not take the focus from a link or a button, and updates the page once the focus has left', async () => {
    const { visit, ship } = await openOrder()
    const { page, close } = visit
    await ship()
    for (const part of [page.locator('main a').first(), page.locator('main button').first()]) {
      await part.focus()
      const text = await focused(page)
      expect(await update(visit)).toBe(false)
      expect(await focused(page)).toBe(text)
      expect(await shipped(page).count()).toBe(0)
    }
    await page.locator('main').focus()
    await update(visit)
    await shipped(page).waitFor()
    await close()
  })

  test('when a page updates itself, the browser script leaves opened sections open and closed sections closed', async () => {
    const shop = await openWebhookShop(api())
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    const endpoint = await shop.addEndpoint((await openReceiver(status(503))).url)
    await shop.emit()
    await shop.deliver(endpoint)
    const [delivery] = await shop.deliveries()
    const visit = await open(owner, `/dashboard/deliveries/${delivery?.id}`)
    const { page, close } = visit
    const parts = page.locator('main details')
    const states = () => parts.evaluateAll((all) => all.map((part) => part.hasAttribute('open')))
    expect(await states()).toEqual([false, true])
    expect(await update(visit)).toBe(true)
    for (const index of [0, 1]) {
      const summary = parts.nth(index).locator('summary')
      await summary.click()
      await page.locator('main').focus()
      const changed = await states()
      expect(await update(visit)).toBe(false)
      expect(await states()).toEqual(changed)
      await summary.click()
      await page.locator('main').focus()
      expect(await update(visit)).toBe(true)
    }
    await close()
  })

  test('the button “Copy” copies to the clipboard a secret that is shown only once', async () => {
    const shop = await openShop(api().context)
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    const { page, context, close } = await open(owner, '/dashboard/webhooks/new')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hook')
    await page.locator('input[name=kinds]').first().check()
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toMatch(/^whsec_/)
    expect(copied).toBe(await page.locator('[data-copy]').textContent())
    await close()
  })

  test('the only filled button on the page of an intact audit log copies the head of the chain', async () => {
    const { clock } = api()
    // The verification compares service times with database times, so the clock is set to the real time.
    clock.advance(systemClock.nowMs() - clock.nowMs())
    const shop = await openShop(api().context)
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    await sealAudit({ database: api().database, signer: vault.signer })
    const { page, close } = await open(owner, '/dashboard/audit/verify')
    expect(await page.locator('main .main').allTextContents()).toEqual(['Copy'])
    await close()
  })

  test('the keys / and Ctrl-K focus the search, j and k move between the rows of a list, and Enter opens a row', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const [first, second] = [await placeOrder(api(), shop), await placeOrder(api(), shop)]
    const { page, close } = await open(member, '/dashboard/orders')
    await page.keyboard.press('/')
    await page.keyboard.type('j?')
    expect(await page.getByLabel('Search orders').inputValue()).toBe('j?')
    await page.locator('h1').click()
    await page.keyboard.press('Control+k')
    expect(await page.evaluate('document.activeElement.name')).toBe('q')
    await page.locator('h1').click()
    const listed = await page.locator('tbody tr td a').allTextContents()
    expect(listed).toEqual(expect.arrayContaining([first.number, second.number]))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe(listed[1])
    await page.keyboard.press('k')
    expect(await focused(page)).toBe(listed[0])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: listed[0] ?? '' }).waitFor()
    await close()
  })

  test('the key ? shows the list of keyboard shortcuts until Escape closes the list', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const { page, close } = await open(member, '/dashboard/orders')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(await dialog.locator('dt').allTextContents()).toEqual(['/ or Ctrl-K', 'j', 'k', 'Enter', '?'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await close()
  })

  test('while the checkbox of a row has the focus, the keys j and k move from that row to the next or previous row', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    for (let index = 0; index < 2; index++) await placeOrder(api(), shop)
    const { page, close } = await open(member, '/dashboard/orders')
    const listed = await page.locator('tbody tr td a').allTextContents()
    await page.getByRole('checkbox', { name: `Choose ${listed[0]}` }).check()
    await page.keyboard.press('j')
    expect(await focused(page)).toBe(listed[1])
    await close()
  })

  test('in the list of keyboard shortcuts, a member can disable the single-key shortcuts of this browser and enable them again', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const { page, close } = await open(member, '/dashboard/orders')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const turn = dialog.getByRole('checkbox', { name: /^Use single keys/ })
    await page.keyboard.press('?')
    await turn.uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.name')).not.toBe('q')
    await page.keyboard.press('Control+k')
    expect(await page.evaluate('document.activeElement.name')).toBe('q')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await turn.check()
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.name')).toBe('q')
    await close()
  })

  test('in a browser that blocks local storage, the keyboard shortcuts work, and the list of keys has no switch to disable them', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const { page, close } = await open(member, '/dashboard/orders')
    await page.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get: () => { throw new DOMException('denied', 'SecurityError') } })",
    )
    await page.reload()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    expect(await dialog.getByRole('checkbox').count()).toBe(0)
    await close()
  })

  test('the link “Select all” ticks all orders of the page without a request, and the link “Select none” unticks them', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'operations')
    for (let index = 0; index < 2; index++) await placeOrder(api(), shop)
    const { page, close, requested } = await open(member, '/dashboard/orders')
    const ticked = page.getByRole('checkbox', { name: /^Choose /, checked: true })
    const before = requested.length
    await page.getByRole('link', { name: 'Select all' }).click()
    expect(await ticked.count()).toBe(2)
    await page.getByRole('link', { name: 'Select none' }).click()
    expect([await ticked.count(), requested.length]).toEqual([0, before])
    await close()
  })
})
