import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, useApi } from '../../support/api.ts'
import { soldOrder } from '../../support/commerce/sold-order.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../support/reference/browser.ts'
import { stockVariant } from '../../support/shop.ts'
import { openAs } from './tasks/count-steps.ts'

/**
 * Back and Forward in a browser. If Chromium has not stored the response to a POST request completely, it shows an
 * error page instead of the response. The script prevents the error page: it replaces the state of the history entry,
 * and the browser then requests the entry with GET.
 */

/**
 * Starts a proxy in front of the service, and returns its origin. The proxy never sends the last bytes of the response
 * to a submitted form.
 */
async function withoutEnds(service: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const asked = request(`${service}${url}`, { method, headers }, async (answer) => {
      const body = await buffer(answer)
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      if (method === 'POST') outgoing.write(body.subarray(0, -endBytes))
      else outgoing.end(body)
    })
    incoming.pipe(asked)
  })
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return `http://127.0.0.1:${addressOf(proxy.address()).port}`
}

/** Number of bytes that the proxy does not send. They are the last bytes of the compressed page, after its content. */
const endBytes = 20

describeInBrowser('Back and Forward', () => {
  const api = useApi()
  const open = useBrowser()

  /** Opens the page of an action on a paid order, whose payment was recorded by hand. */
  async function openAction(action: string, origin = api().url) {
    const sold = await soldOrder(api())
    await sold.pay()
    const visit = await open()
    const { page } = visit
    page.setDefaultTimeout(20_000)
    const member = await signedIn(api(), sold.shop.merchantId, 'owner')
    await openAs(visit, member, `${origin}/dashboard/orders/${sold.order.id}${action}`)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    /** Submits the confirmation page, which has only one form. */
    const confirm = () => page.locator('form.form button').click()
    const preview = () => page.locator('button[name=intent][value=preview]').last().click()
    const { token } = sold.shop
    const refunds = async () =>
      (await api().send('GET', `/api/v1/refunds?orderId=${sold.order.id}`, { token })).body.data
    return { ...sold, visit, page, press, confirm, preview, refunds }
  }

  const question = (page: Page) => page.locator('[data-question]')
  /** Waits until the page's script has stored the response to a submitted form. */
  async function answered(page: Page) {
    await page.locator('main[data-answer]').waitFor()
    await page.waitForLoadState()
  }

  const stored = (page: Page) => page.evaluate<string[]>('Object.values(sessionStorage)')

  /**
   * Fills the session storage of Chromium (5 × 1024 × 1024 characters), as if earlier pages of the session had filled
   * it.
   */
  const fillStorage = `(() => {
    const key = document.querySelector('main').dataset.session + ' earlier'
    sessionStorage.clear()
    sessionStorage.setItem(key, 'x'.repeat(5 * 1024 * 1024 - key.length))
  })()`

  const amount = (page: Page) => page.getByLabel('Amount').inputValue()

  async function askForRefund({ page, press }: Awaited<ReturnType<typeof openAction>>) {
    await page.getByLabel('Amount').fill('5000')
    await page.getByLabel('Reason').selectOption('damaged')
    await page.getByLabel('Internal note').fill('Torn seam')
    await press('Check the refund')
    await question(page).waitFor()
    await answered(page)
  }

  test('with the browser’s Back button, a member returns to a refund’s confirmation page and to its form with the entered values, and the refund is created only once', async () => {
    const opened = await openAction('/refund')
    const { page, press, confirm, visit } = opened
    await askForRefund(opened)
    await page.goBack()
    expect(await amount(page)).toBe('5000')
    expect(await page.getByLabel('Reason').inputValue()).toBe('damaged')
    expect(await page.getByLabel('Internal note').inputValue()).toBe('Torn seam')
    await page.goForward()
    expect(await question(page).textContent()).toContain('₦5,000.00')
    await confirm()
    await page.getByText('The refund was created.').waitFor()
    await page.goBack()
    await confirm()
    await page.getByRole('heading', { name: 'Already submitted' }).waitFor()
    await answered(page)
    for (let step = 0; step < 2; step++) await page.goBack()
    expect(await amount(page)).toBe('5000')
    await press('Check the refund')
    await page.getByRole('alert').first().waitFor()
    expect(await page.title()).toMatch(/^Error: /)
    expect(await opened.refunds()).toMatchObject([{ amountKobo: 500_000 }])
    await visit.close()
  })

  test('the browser’s Back button returns a member to the preview of an order edit and of a discount, with the entered values', async () => {
    const { page, preview, visit } = await openAction('/edit')
    await page.getByLabel('Note').fill('Gate code 12')
    await preview()
    await answered(page)
    await page.goto(`${api().url}/dashboard/discounts/new`)
    await page.getByLabel('Code', { exact: true }).fill('EID25')
    await page.locator('#f-value').fill('25')
    await preview()
    await answered(page)
    await page.goto(`${api().url}/dashboard/orders`)
    await page.goBack()
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('EID25')
    for (let step = 0; step < 2; step++) await page.goBack()
    expect(await page.getByLabel('Note').inputValue()).toBe('Gate code 12')
    await visit.close()
  })

  test('the browser’s Back button shows a confirmation question again even if the question is no longer in the browser’s cache', async () => {
    const opened = await openAction('/refund')
    const { page, visit } = opened
    await askForRefund(opened)
    await page.goto(`${api().url}/dashboard/orders`)
    const devTools = await visit.context.newCDPSession(page)
    await devTools.send('Network.clearBrowserCache')
    await page.goBack()
    expect(await question(page).textContent()).toContain('₦5,000.00')
    expect(await page.title()).toMatch(/^Confirm: /)
    await page.reload()
    expect(await question(page).textContent()).toContain('₦5,000.00')
    await page.getByRole('link', { name: 'Go back without a change' }).click()
    await page.getByLabel('Amount').waitFor()
    expect(await page.getByLabel('Internal note').inputValue()).toBe('')
    await visit.close()
  })

  test('if the browser had not received the whole confirmation page, Back leads to the form and not to the confirmation page', async () => {
    const opened = await openAction('/refund', await withoutEnds(api().url))
    const { page, visit, press } = opened
    await page.getByLabel('Amount').fill('5000')
    await page.getByLabel('Reason').selectOption('damaged')
    await press('Check the refund')
    await question(page).waitFor()
    await page.goto('about:blank')
    await page.goBack()
    await page.getByLabel('Amount').waitFor()
    expect(await page.title()).toMatch(/^Refund /)
    await visit.close()
  })

  test('the browser’s Back button restores a form with error messages, and the values that the member entered after the rejected submission', async () => {
    const { page, press, visit } = await openAction('/refund')
    await page.getByLabel('Amount').fill('5000000')
    await page.getByLabel('Reason').selectOption('damaged')
    await press('Check the refund')
    await page.getByRole('alert').first().waitFor()
    await answered(page)
    await page.getByLabel('Amount').fill('4000')
    await page.getByLabel('Reason').selectOption('other')
    await page.getByLabel('Internal note').fill('Torn seam')
    await page.goto(`${api().url}/dashboard/orders`)
    await page.goBack()
    expect(await page.title()).toMatch(/^Error: /)
    expect(await amount(page)).toBe('4000')
    expect(await page.getByLabel('Reason').inputValue()).toBe('other')
    expect(await page.getByLabel('Internal note').inputValue()).toBe('Torn seam')
    await visit.close()
  })

  test('if the confirmation question of an action appears on the page of the record, the browser’s Back button leads to this page without the question', async () => {
    const { page, press, shop, visit } = await openAction('')
    const { productId } = await stockVariant(api(), shop.merchantId)
    await page.goto(`${api().url}/dashboard/products/${productId}`)
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await press('Archive product')
    await question(page).waitFor()
    await answered(page)
    await page.goto(`${api().url}/dashboard/orders`)
    await page.goBack()
    expect(page.url()).toBe(`${api().url}/dashboard/products/${productId}`)
    expect(await question(page).count()).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(title)
    await visit.close()
  })

  test('after the sign-out, the browser’s Back and Forward buttons show the sign-in page instead of a form and its confirmation page', async () => {
    const opened = await openAction('/refund')
    const { page, visit } = opened
    await askForRefund(opened)
    expect(await stored(page)).toContainEqual(expect.stringContaining('Torn seam'))
    expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain('Torn seam')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.waitForLoadState()
    expect(await stored(page)).toEqual([])
    await page.evaluate('history.go(-2)')
    await page.waitForURL('**/sign-in?next=*')
    expect(await page.getByLabel('Amount').count()).toBe(0)
    await page.goForward()
    expect(page.url()).toContain('/dashboard/sign-in?next=')
    expect(await question(page).count()).toBe(0)
    await visit.close()
  })

  test('after another member has signed in, Back shows an empty form instead of the confirmation page with the values of the first member', async () => {
    const opened = await openAction('/refund')
    const { page, visit, shop } = opened
    await askForRefund(opened)
    const address = page.url()
    await page.goto(`${api().url}/dashboard/orders`)
    await openAs(visit, await signedIn(api(), shop.merchantId, 'owner'), `${api().url}/dashboard/orders`)
    await page.goBack()
    expect(page.url()).toBe(address)
    expect(await question(page).count()).toBe(0)
    expect(await page.getByLabel('Internal note').inputValue()).toBe('')
    expect(await stored(page)).toEqual([])
    await visit.close()
  })

  test('if the session storage of the browser is full, the script deletes the stored earlier pages to store the confirmation page', async () => {
    const opened = await openAction('/refund')
    const { page, visit } = opened
    await page.evaluate(fillStorage)
    await askForRefund(opened)
    await page.goto(`${api().url}/dashboard/orders`)
    await page.goBack()
    expect(await question(page).textContent()).toContain('₦5,000.00')
    await visit.close()
  })

  test('if the browser blocks the session storage, the scripts cause no error, and the Back button leads to the form instead of its confirmation question', async () => {
    const opened = await openAction('/refund')
    const { page, visit } = opened
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.addInitScript(
      "Object.defineProperty(globalThis, 'sessionStorage', { get: () => { throw new DOMException('denied', 'SecurityError') } })",
    )
    await page.reload()
    await askForRefund(opened)
    await page.goto(`${api().url}/dashboard/orders`)
    await page.goBack()
    await page.getByLabel('Amount').waitFor()
    expect(await question(page).count()).toBe(0)
    expect(errors).toEqual([])
    await visit.close()
  })

  test('after the sign-out, a confirmation page that the browser restores from its memory is reloaded and leads to the sign-in page', async () => {
    const opened = await openAction('/refund')
    const { page, visit } = opened
    await askForRefund(opened)
    await visit.context.clearCookies()
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    await page.waitForURL('**/sign-in?next=*')
    await visit.close()
  })
})
