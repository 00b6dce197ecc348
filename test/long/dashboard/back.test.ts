import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { soldOrder } from '../../support/commerce/sold-order.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../support/reference/browser.ts'
import { openAs } from './tasks/count-steps.ts'

/**
 * Back and Forward in a browser. Chromium shows an error page for the response to a POST request that it may not store.
 */

describeInBrowser('Back and Forward', () => {
  const api = useApi()
  const open = useBrowser()

  /** Opens the page of an action on a paid order, whose payment was recorded by hand. */
  async function openAction(action: string) {
    const sold = await soldOrder(api())
    await sold.pay()
    const visit = await open()
    const { page } = visit
    page.setDefaultTimeout(20_000)
    const member = await signedIn(api(), sold.shop.merchantId, 'owner')
    await openAs(visit, member, `${api().url}/dashboard/orders/${sold.order.id}${action}`)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    /** The only form of a question. */
    const confirm = () => page.locator('form.form button').click()
    const preview = () => page.locator('button[name=intent][value=preview]').last().click()
    const { token } = sold.shop
    const refunds = async () =>
      (await api().send('GET', `/api/v1/refunds?orderId=${sold.order.id}`, { token })).body.data
    return { ...sold, visit, page, press, confirm, preview, refunds }
  }

  const question = (page: Page) => page.locator('[data-question]')
  const amount = (page: Page) => page.getByLabel('Amount').inputValue()

  async function askForRefund({ page, press }: Awaited<ReturnType<typeof openAction>>) {
    await page.getByLabel('Amount').fill('5000')
    await page.getByLabel('Reason').selectOption('damaged')
    await page.getByLabel('Internal note').fill('Torn seam')
    await press('Check the refund')
    await question(page).waitFor()
  }

  test('with Back, a member returns to a refund’s confirmation page and to its form with the entered values, and the refund is created only once', async () => {
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
    for (let step = 0; step < 2; step++) await page.goBack()
    expect(await amount(page)).toBe('5000')
    await press('Check the refund')
    await page.getByRole('alert').first().waitFor()
    expect(await page.title()).toMatch(/^Error: /)
    expect(await opened.refunds()).toMatchObject([{ amountKobo: 500_000 }])
    await visit.close()
  })

  test('with Back, a member returns to the preview of an order edit and of a discount, and sees the entered values', async () => {
    const { page, preview, visit } = await openAction('/edit')
    await page.getByLabel('Note').fill('Gate code 12')
    await preview()
    await page.goto(`${api().url}/dashboard/discounts/new`)
    await page.getByLabel('Code', { exact: true }).fill('EID25')
    await page.locator('#f-value').fill('25')
    await preview()
    await page.goto(`${api().url}/dashboard/orders`)
    await page.goBack()
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('EID25')
    for (let step = 0; step < 2; step++) await page.goBack()
    expect(await page.getByLabel('Note').inputValue()).toBe('Gate code 12')
    await visit.close()
  })

  test('after the sign-out, the browser’s Back button shows neither the confirmation page of a refund nor its form', async () => {
    const opened = await openAction('/refund')
    const { page, visit } = opened
    await askForRefund(opened)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.evaluate('history.go(-2)')
    await page.waitForURL('**/sign-in?next=*')
    expect(await page.getByLabel('Amount').count()).toBe(0)
    // The browser has deleted the question, and does not submit the form again by itself.
    await expect(page.goForward()).rejects.toThrow('ERR_CACHE_MISS')
    expect(await question(page).count()).toBe(0)
    await visit.close()
  })
})
