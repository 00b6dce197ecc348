import { expect, test } from 'vitest'
import { connectProvider } from '../../../../src/access/connect-provider.ts'
import { paystack } from '../../../../src/partners/payments/paystack.ts'
import { useApi, vault } from '../../../support/api.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { openShop, operator, stockVariant } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  test('a member who starts at the list of orders needs four page loads to take a WhatsApp order and get its payment link', async () => {
    const { merchantId, tenant, token } = await openShop(api().context)
    await connectProvider({ ...api().context, vault, isProduction: true }, operator, tenant, {
      ...{ provider: paystack, secretKey: 'sk_live_local' },
    })
    const { variantId } = await stockVariant(api(), merchantId, { priceKobo: 1_500_000, onHand: 5 })
    const customer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348031234567' }
    await api().send('POST', '/api/v1/customers', { token, body: customer })
    const visit = await open()
    const { page } = visit
    await openAs(visit, await signedIn(api(), merchantId, 'operations'), `${api().url}/dashboard/orders`)
    const task = startTask(visit, 'take a WhatsApp order and send its payment link')
    await task.click(page.getByRole('link', { name: 'New order' }))
    await task.fill(page.getByLabel('Find a product'), 'ankara')
    await task.fill(page.getByLabel('Find a customer'), '0803 123 4567')
    await task.fill(page.getByLabel('Shipping price in naira'), '2,500')
    await page.keyboard.press('Enter')
    await task.fill(page.getByLabel('Quantity of Ankara maxi dress'), '2')
    await task.click(page.getByRole('button', { name: 'Update the total' }))
    await page.getByText('The total is ₦32,500.00.').waitFor()
    await task.click(page.getByRole('button', { name: 'Create order and payment link' }))
    const steps = await task.endsWith('Send by WhatsApp')
    expect(steps).toEqual({ pageLoads: 4, clicks: 3, fields: 4 })
    const { data } = (await api().send('GET', '/api/v1/orders', { token })).body
    expect(data).toMatchObject([{ totalKobo: 3_250_000, customer: { name: customer.name } }])
    const order = (await api().send('GET', `/api/v1/orders/${data[0].id}`, { token })).body
    expect(order).toMatchObject({ source: 'whatsapp', items: [{ variantId, quantity: 2 }] })
    await visit.close()
  })
})
