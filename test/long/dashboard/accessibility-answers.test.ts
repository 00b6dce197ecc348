import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { inviteMember } from '../../../src/access/members/invite-member.ts'
import { recoverMember } from '../../../src/access/members/recover-member.ts'
import { newId } from '../../../src/base/ids.ts'
import { allRoutes } from '../../../src/dashboard/routes.ts'
import { type FullShop, openFullShop, selectTestMode } from '../../dashboard/full-shop.ts'
import { faultsOf, views } from '../../dashboard/page-faults.ts'
import { type Stop, type Walk, walk } from '../../dashboard/walk.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { type Browser, type Fields, formOf, signedIn } from '../../support/dashboard.ts'
import { orderTo } from '../../support/logistics/parcel-run.ts'
import { describeInBrowser, useBrowser, type Visit } from '../../support/reference/browser.ts'
import { operator } from '../../support/shop.ts'

/**
 * Pages to which no page links: the responses to forms, the pages before sign-in, error pages, and pages without
 * records.
 */

const minuteMs = 60_000

describeInBrowser('in a browser', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi
  let walked: Walk
  let full: FullShop

  beforeAll(async () => {
    api = started()
    full = await openFullShop(api)
    walked = await walk(full.owner)
  })

  /** Without a member, the browser shows the sign-in page. */
  async function openAs(member?: Browser): Promise<Visit> {
    const visited = await visit()
    const cookies = [...(member?.cookies ?? [])].map(([name, value]) => ({ name, value, url: api.url }))
    await visited.context.addCookies(cookies)
    await visited.page.goto(`${api.url}/dashboard`)
    return visited
  }

  const check = (visited: Visit) => faultsOf(visited, [views.desktopDark, views.phoneLight])

  /**
   * Waits until the error summary has the focus. Returns the links of the summary that do not name their field. A
   * problem of a hidden field has no link.
   */
  async function unnamedProblems({ page }: Visit): Promise<string[]> {
    await page.locator('[data-summary]:focus').waitFor()
    const linked = await page.locator('[data-summary] li a').allTextContents()
    return linked.filter((text) => !/^[^:]+: ./.test(text))
  }

  /** Returns the hidden fields of a form that has not been submitted yet. */
  async function newForm(member: Browser): Promise<Record<string, string>> {
    const { csrf = '' } = formOf((await member.get('/dashboard')).text, '/dashboard/sign-out')
    return { csrf, form: newId('frm', api.clock.nowMs()) }
  }

  /**
   * Submits a form, even one that the current page does not contain. Returns the status of the response, which the
   * browser then shows.
   */
  async function submit({ page }: Visit, action: string, fields: Fields): Promise<number> {
    const entries = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      page.waitForEvent('load'),
      page.evaluate(`{
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: ${JSON.stringify(action)} })
        for (const [name, value] of ${JSON.stringify(entries)}) {
          form.append(Object.assign(document.createElement('textarea'), { name, value }))
        }
        document.body.append(form)
        HTMLFormElement.prototype.submit.call(form)
      }`),
    ])
    return response.status()
  }

  const csrfOn = ({ page }: Visit) => page.locator('input[name=csrf]').first().inputValue()

  const open = ({ page }: Visit, path: string) => page.goto(`${api.url}/dashboard${path}`)

  const stopOf = (path: string): Stop => {
    const stop = walked.stops.find(({ route }) => route.kind === 'action' && route.path === path)
    if (stop === undefined) throw new Error(`There is no action ${path}.`)
    return stop
  }

  /**
   * Forms in which the text that the test enters causes no validation problem. Most of these forms have only check
   * boxes: the service ignores an unknown value, and responds with 404 to an unknown order. In the form of a comment,
   * the text is valid, because it is shorter than the maximum length of a comment.
   */
  const withoutWrongValues = new Set([
    '/notifications/preferences',
    '/orders/dispatch',
    '/orders/export',
    '/orders/slips',
    '/orders/{id}/comments',
  ])

  test('every dashboard form that shows validation problems is accessible and fits the screen width', async () => {
    const visited = await openAs(full.owner)
    const faults: string[] = []
    for (const { route, name, address, fields, isFilledIn } of walked.stops) {
      if (route.kind !== 'action') continue
      const isWrong = isFilledIn && !withoutWrongValues.has(route.path)
      if (!isWrong && route.isOfUser) continue
      const wrong = Object.fromEntries(Object.keys(fields).map((field) => [field, 'é'.repeat(600)]))
      // A form without wrong values is sent for the other mode (live or test). The service therefore shows the form
      // again with the submitted values.
      const sent = isWrong ? wrong : { ...fields, tenant: full.liveId }
      const status = await submit(visited, address, { ...sent, ...(await newForm(full.owner)) })
      faults.push(...(status === 422 ? [] : [`${name}: ${status}`]))
      if (isWrong) faults.push(...(await unnamedProblems(visited)).map((text) => `${name}: ${text}`))
      faults.push(...(await check(visited)))
    }
    expect(faults).toEqual([])
    await visited.close()
  })

  test('the form of a new order is accessible and fits the screen width, both with search results and with chosen items and a total', async () => {
    const visited = await openAs(full.owner)
    const path = '/dashboard/orders/new'
    const searches = { findItems: 'dress', findCustomer: 'funmi' }
    const found = await submit(visited, path, { ...searches, ...(await newForm(full.owner)) })
    const faults = await check(visited)
    const quantity = (await visited.page.locator('input.quantity').first().getAttribute('name')) ?? ''
    const customerId = await visited.page.locator('input[name=customerId]').first().inputValue()
    const fields = { findItems: 'dress', customerId, [quantity]: '2' }
    const previewed = await submit(visited, path, { ...fields, ...(await newForm(full.owner)) })
    await visited.page.getByText('Nothing has been created yet').waitFor()
    expect([found, previewed, ...faults, ...(await check(visited))]).toEqual([200, 200])
    await visited.close()
  })

  test.for([
    ['/products/new', { optionName1: 'Size', optionValues1: 'M, L', intent: 'rows' }],
    ['/tokens/new', {}],
    ['/tokens/{id}/rotate', {}],
    ['/webhooks/new', {}],
    ['/webhooks/{id}/secret', {}],
    ['/webhooks/{id}/rotate', {}],
    ['/webhooks/{id}/check', {}],
    ['/webhooks/{id}/verify', {}],
    ['/members/invite', {}],
    ['/members/{id}/recover', {}],
    ['/discounts/new', { intent: 'preview' }],
    ['/discounts/new', { intent: 'preview', productSearch: 'ankara', customerSearch: 'ada' }],
    ['/shipments/{id}/cancel', {}],
  ] as const)('the page that the dashboard shows after the action %s is accessible and fits the screen width', async ([
    path,
    more,
  ]) => {
    const visited = await openAs(full.owner)
    const { address, fields } = stopOf(path)
    const status = await submit(visited, address, { ...fields, ...more, ...(await newForm(full.owner)) })
    expect(status, await visited.page.innerText('body')).toBe(200)
    expect(await check(visited)).toEqual([])
    await visited.close()
  })

  test('the page with the offers of carriers for two orders is accessible and fits the screen width', async () => {
    const { name, phone, line1, area } = pickupInputExample
    const pickup = { name, phone, line1, area, state: 'Lagos' }
    expect((await full.owner.submit('/dashboard/settings', '/dashboard/settings/pickup', pickup)).status).toBe(303)
    const ids = [await orderTo(api, full.shop), await orderTo(api, full.shop)]
    const visited = await openAs(full.owner)
    const form = { ...(await newForm(full.owner)), id: ids }
    expect(await submit(visited, '/dashboard/orders/dispatch', form)).toBe(303)
    expect(await check(visited)).toEqual([])
    await visited.close()
  })

  test('the page with the secret of an authenticator app is accessible and fits the screen width', async () => {
    const member = await signedIn(api, full.liveId, 'viewer')
    const visited = await openAs(member)
    expect(await submit(visited, stopOf('/settings/account/totp/start').address, await newForm(member))).toBe(200)
    expect(await check(visited)).toEqual([])
    await visited.close()
  })

  test('a dashboard form that is shown again because the record has changed is accessible and fits the screen width', async () => {
    const visited = await openAs(full.owner)
    const { address, fields } = stopOf('/shipments/{id}/cancel')
    const form = await newForm(full.owner)
    expect(await submit(visited, address, { ...fields, version: '2147483647', ...form })).toBe(422)
    expect(await visited.page.getByRole('alert').innerText()).toContain('The record has changed to version')
    expect(await check(visited)).toEqual([])
    await visited.close()
  })

  describe('pages before sign-in', () => {
    test('the sign-in page, its form after a wrong password, and its form for the code are accessible and fit the screen width', async () => {
      const visited = await openAs()
      const faults = await check(visited)
      const { email, password } = full.owner
      const csrf = await csrfOn(visited)
      const signIn = '/dashboard/sign-in'
      expect(await submit(visited, signIn, { email, password: 'another', csrf })).toBe(422)
      faults.push(...(await check(visited)))
      expect(await submit(visited, signIn, { email, password, csrf })).toBe(200)
      faults.push(...(await check(visited)))
      expect(await submit(visited, `${signIn}/code`, { code: '000000', csrf })).toBe(422)
      faults.push(...(await check(visited)))
      expect(faults).toEqual([])
      await visited.close()
    })

    test('the page of a sign-in link, the page of a used sign-in link and the page that sets a password are accessible and fit the screen width', async () => {
      const { memberId } = await signedIn(api, full.liveId, 'viewer')
      const recovery = await recoverMember(api.context, operator, { merchantId: full.liveId, memberId })
      const link = `/sign-in/link/${recovery.is === 'link' ? recovery.token : recovery.is}`
      const visited = await openAs()
      await open(visited, link)
      const faults = await check(visited)
      const csrf = await csrfOn(visited)
      expect(await submit(visited, `/dashboard${link}`, { csrf })).toBe(303)
      faults.push(...(await check(visited)))
      expect(await submit(visited, '/dashboard/sign-in/setup', { newPassword: 'short', csrf })).toBe(422)
      faults.push(...(await check(visited)))
      await open(visited, link)
      faults.push(...(await check(visited)))
      expect(faults).toEqual([])
      await visited.close()
    })

    test('the page of an invitation is accessible and fits the screen width in each state of the invitation', async () => {
      const person = { email: 'amina.yusuf@example.com', name: 'Amina Yusuf', role: 'developer' } as const
      const invited = await inviteMember(api.context, operator, { ...person, merchantId: full.liveId })
      const link = `/invitations/${invited.is === 'invited' ? invited.token : invited.is}`
      const visited = await openAs()
      await open(visited, link)
      const faults = await check(visited)
      const wrong = { name: '', newPassword: 'short', csrf: await csrfOn(visited) }
      expect(await submit(visited, `/dashboard${link}`, wrong)).toBe(422)
      faults.push(...(await check(visited)))
      await open(visited, '/invitations/none')
      faults.push(...(await check(visited)))
      await visited.close()
      const signedInVisit = await openAs(full.owner)
      await open(signedInVisit, link)
      faults.push(...(await check(signedInVisit)))
      expect(faults).toEqual([])
      await signedInVisit.close()
    })

    test('the pages of a user without a merchant and of an expired session are accessible and fit the screen width', async () => {
      const visited = await openAs()
      await open(visited, '/sign-in/no-merchant')
      const faults = await check(visited)
      expect(await submit(visited, stopOf('/tokens/new').address, { name: 'Till' })).toBe(401)
      faults.push(...(await check(visited)))
      expect(faults).toEqual([])
      await visited.close()
    })
  })

  test('the error pages of the dashboard are accessible and fit the screen width', async () => {
    const viewer = await signedIn(api, full.liveId, 'viewer')
    const visited = await openAs(viewer)
    const faults: string[] = []
    for (const [path, status] of [
      ['/nowhere', 404],
      ['/orders/none', 404],
      ['/tokens/new', 403],
    ] as const) {
      expect((await open(visited, path))?.status()).toBe(status)
      faults.push(...(await check(visited)))
    }
    const password = stopOf('/settings/account/password').address
    expect(await submit(visited, password, {})).toBe(403)
    faults.push(...(await check(visited)))
    const form = { ...(await newForm(viewer)), currentPassword: viewer.password, newPassword: 'another few words' }
    expect(await submit(visited, password, form)).toBe(303)
    const renewed = { ...form, csrf: await csrfOn(visited) }
    expect(await submit(visited, password, renewed)).toBe(409)
    faults.push(...(await check(visited)))
    expect(faults).toEqual([])
    await visited.close()
  })

  test('every dashboard page of a merchant without records is accessible and fits the screen width', async () => {
    const { id } = await createMerchant(api.context, operator, 'Kente House')
    const visited = await openAs(await signedIn(api, id, 'owner', 'Kofi Mensah'))
    const faults: string[] = []
    for (const { kind, path } of allRoutes) {
      if (kind !== 'page' || path.includes('{')) continue
      expect((await open(visited, path))?.status()).toBe(200)
      faults.push(...(await check(visited)))
    }
    expect(faults).toEqual([])
    await visited.close()
  })

  test('the page on which a member confirms their identity is accessible and fits the screen width', async () => {
    const member = await signedIn(api, full.liveId, 'owner')
    await selectTestMode(member)
    const visited = await openAs(member)
    api.clock.advance(11 * minuteMs)
    const { address } = stopOf('/tokens/new')
    const { csrf = '', ...form } = await newForm(member)
    expect(await submit(visited, address, { name: 'Till', scopes: 'orders:read', csrf, ...form })).toBe(403)
    const faults = await check(visited)
    const carried = JSON.stringify({ path: address, tenant: null, values: { name: ['Till'] } })
    for (const password of ['another', member.password]) {
      expect(await submit(visited, '/dashboard/sign-in/confirm', { carried, csrf, password })).toBe(422)
      faults.push(...(await check(visited)))
    }
    expect(faults).toEqual([])
    await visited.close()
  })
})
