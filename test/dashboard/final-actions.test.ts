import { beforeAll, describe, expect, test } from 'vitest'
import { isReversible, orderStatuses, orderTransitions } from '../../registry/orders/order-states.ts'
import { newId } from '../../src/base/ids.ts'
import type { Action } from '../../src/dashboard/kit/route.ts'
import { allRoutes } from '../../src/dashboard/routes.ts'
import { useApi } from '../support/api.ts'
import { orderAt } from '../support/commerce/order-transitions.ts'
import { type Fields, formOf, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../support/reference/browser.ts'
import { openShop } from '../support/shop.ts'
import { openFullShop } from './full-shop.ts'
import { expectNoChangeOf } from './no-change.ts'
import { walk } from './walk.ts'

/** Tests the confirmation question before an action that cannot be undone, and the summary of errors in a form. */

const api = useApi()

const actions = allRoutes.filter((route): route is Action => route.kind === 'action')

/** Matches the paths of actions that permanently remove or revoke something, by their last part. */
const finalWords =
  /\/(cancel|delete|remove|archive|anonymise|revoke|void|close|refund|rotate|resolve|recover|transition|bank-details)$/

/** For some actions, the form values that make the action irreversible. The key is the path of the action. */
const finalValues: Readonly<Record<string, Fields | ((fields: Fields) => Fields)>> = {
  '/orders/{id}/transition': { to: 'delivered' },
  '/returns/{id}/transition': { to: 'rejected' },
  '/shipments/{id}/cancel': { feeKobo: '0' },
  // The order is paid on delivery, but its rider collects no cash.
  '/orders/dispatch': ({ id }) => ({ [`due-${id}`]: '10.00', [`cash-${id}`]: '', [`offer-${id}`]: 'off_1' }),
}

describe('an action that cannot be undone', () => {
  test('exactly eight status changes of an order cannot be undone in the dashboard', () => {
    const final = orderStatuses.flatMap((from) =>
      orderTransitions[from].filter((to) => !isReversible(from, to)).map((to) => `${from} → ${to}`),
    )
    expect(final).toEqual([
      'pending → processing',
      'pending → cancelled',
      'on_hold → cancelled',
      'processing → delivered',
      'processing → cancelled',
      'shipped → delivered',
      'shipped → returned',
      'delivered → returned',
    ])
  })

  test('every dashboard action whose path ends with a word such as cancel or delete asks for a confirmation, except signing out one browser', () => {
    const unasked = actions.filter(({ path, isFinal }) => finalWords.test(path) && !isFinal).map(({ path }) => path)
    // The page for revoking a session asks no question, because the revoked browser can sign in again.
    expect(unasked).toEqual(['/settings/account/sessions/{id}/revoke'])
  })

  test('an action that cannot be undone changes nothing until the member confirms the action on a page with a single button', async () => {
    const { owner } = await openFullShop(api())
    const { stops, actions: linked } = await walk(owner)
    const paths = new Set(linked.map(({ path }) => path))
    const { csrf = '' } = formOf((await owner.get('/dashboard')).text, '/dashboard/sign-out')
    const final = stops.filter(({ route }) => route.kind === 'action' && route.isFinal && paths.has(route.path))
    expect(final.length).toBeGreaterThan(15)
    const wrong: string[] = []
    await expectNoChangeOf(api(), async () => {
      for (const { name, address, fields, route } of final) {
        const { confirmed: _, intent: _preview, ...sent } = fields
        const values = finalValues[route.path]
        const { status, text } = await owner.ask(address, {
          ...sent,
          ...(typeof values === 'function' ? values(sent) : values),
          csrf,
          form: newId('frm', api().clock.nowMs()),
        })
        const forms = text.split(`action="${address}"`).length - 1
        const isAsked = status === 200 && text.includes('data-question') && formOf(text, address).confirmed === 'yes'
        if (!isAsked || forms !== 1) wrong.push(`${name}: ${status}, ${forms} forms`)
      }
    })
    expect(wrong).toEqual([])
  })
})

describeInBrowser('in a browser', () => {
  const openVisit = useBrowser()
  let member: SignedInMember
  let order: Awaited<ReturnType<typeof orderAt>>
  let unpaid: Awaited<ReturnType<typeof orderAt>>
  let pending: Awaited<ReturnType<typeof orderAt>>
  beforeAll(async () => {
    const shop = await openShop(api().context)
    member = await signedIn(api(), shop.merchantId, 'operations')
    order = await orderAt(api(), shop, 'shipped')
    unpaid = await orderAt(api(), shop, 'pending')
    pending = await orderAt(api(), shop, 'pending')
  })

  async function open(path: string, javaScriptEnabled = true) {
    const visit = await openVisit({ javaScriptEnabled })
    await visit.context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url: api().url })))
    await visit.page.goto(`${api().url}${path}`)
    return visit
  }

  test('the button “Set to delivered” of an order asks for a confirmation, even without scripts, and then sets the status', async () => {
    const { id } = await order.read()
    const { page, close } = await open(`/dashboard/orders/${id}`, false)
    await page.getByRole('button', { name: 'Set to delivered' }).click()
    await page.getByRole('heading', { name: /^Confirm:/ }).waitFor()
    expect((await order.read()).status).toBe('shipped')
    await page.getByRole('button', { name: 'Set to delivered' }).click()
    await page.getByText('The status of the order was changed.').waitFor()
    expect((await order.read()).status).toBe('delivered')
    await close()
  })

  test('the button “Set to processing” asks for a confirmation for a pending order, and not for a shipped order', async () => {
    const { id } = await pending.read()
    const { page, close } = await open(`/dashboard/orders/${id}`)
    await page.getByRole('button', { name: 'Set to processing' }).click()
    await page.getByRole('heading', { name: /^Confirm:/ }).waitFor()
    expect((await pending.read()).status).toBe('pending')
    await page.getByRole('button', { name: 'Set to processing' }).click()
    await page.getByText('The status of the order was changed.').waitFor()
    await page.getByRole('button', { name: 'Set to shipped' }).click()
    // The order is unpaid.
    await page.getByRole('button', { name: 'Set to shipped although' }).click()
    await page.getByRole('button', { name: 'Set to processing' }).click()
    await page.getByRole('button', { name: 'Set to shipped' }).waitFor()
    expect((await pending.read()).status).toBe('processing')
    await close()
  })

  test('after a dashboard form fails, the error summary has the focus, and its link leads to the invalid field', async () => {
    const { id } = await unpaid.read()
    const { page, close } = await open(`/dashboard/orders/${id}/payment`)
    await page.getByLabel('Amount in naira').fill('twelve')
    await page.getByLabel('Reference').fill('TRF-1')
    await page.locator('main form button.main').click()
    await page.locator('[data-summary]').waitFor()
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.evaluate('document.activeElement.hasAttribute("data-summary")')).toBe(true)
    await page.locator('[data-summary] a').first().click()
    expect(await page.evaluate('document.activeElement.id')).toBe('f-amount')
    await close()
  })
})
