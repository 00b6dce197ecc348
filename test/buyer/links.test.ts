import { createSecretKey, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { buyerLinkDays } from '../../registry/values/limits.ts'
import { MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { buyerPath, readBuyerLink } from '../../src/buyer/link.ts'
import { serviceKeys } from '../../src/store/core/keys.ts'
import { useApi } from '../support/api.ts'
import { linksOf, openPage } from '../support/commerce/buyer-pages.ts'
import { whileLocked } from '../support/database-locks.ts'
import { openShop, placeOrder, type Shop } from '../support/shop.ts'

/** The signed links to the pages for buyers, and the responses to links that are not valid. */

const started = useApi()

let shop: Shop
let order: Awaited<ReturnType<typeof placeOrder>>
beforeAll(async () => {
  shop = await openShop(started().context)
  order = await placeOrder(started(), shop)
})

const dayMs = 24 * 60 * 60 * 1000

async function receiptUrlOf(id = order.id): Promise<string> {
  const { receiptUrl } = await linksOf(started(), shop, id)
  if (receiptUrl === null) throw new Error('The order has no receipt.')
  return receiptUrl
}

async function keys() {
  const { database, clock } = started()
  return serviceKeys(database, 'buyer_link', toTimestamp(clock.nowMs()))
}

/** Expects a page without data, whose content tells nothing about the order. */
function expectNothing(page: Awaited<ReturnType<typeof openPage>>, status: 404 | 410): void {
  expect(page.status).toBe(status)
  for (const secret of [order.number, order.id, 'Adaeze', 'Adire', '15,000']) expect(page.html).not.toContain(secret)
  expect(page.html).toContain('<html lang="en">')
}

describe('a link', () => {
  test('a link for the buyer opens its page without a token until the link expires at midnight UTC, 90 to 91 days after its creation', async () => {
    const api = started()
    const { receiptUrl, trackingUrl, expiresAt } = await linksOf(api, shop, order.id)
    const leftMs = Date.parse(expiresAt) - api.clock.nowMs()
    expect(leftMs).toBeGreaterThanOrEqual(buyerLinkDays * dayMs)
    expect(leftMs).toBeLessThanOrEqual((buyerLinkDays + 1) * dayMs)
    expect(Date.parse(expiresAt) % dayMs).toBe(0)
    for (const url of [receiptUrl, trackingUrl]) expect((await openPage(url)).status).toBe(200)
    api.clock.advance(leftMs - 1)
    expect((await openPage(receiptUrl)).status).toBe(200)
    api.clock.advance(1)
    for (const url of [receiptUrl, trackingUrl]) expectNothing(await openPage(url), 410)
  })

  test('all responses of one day contain the same links to the receipt and to the tracking page of an order', async () => {
    expect(await linksOf(started(), shop, order.id)).toEqual(await linksOf(started(), shop, order.id))
  })

  test('the link to a receipt is null until the order is paid', async () => {
    const { id } = await placeOrder(started(), shop, { isPaid: false })
    const { receiptUrl, trackingUrl } = await linksOf(started(), shop, id)
    expect(receiptUrl).toBe(null)
    expect((await openPage(trackingUrl)).status).toBe(200)
  })

  test('a link for the buyer that is altered in any character, shortened or extended leads to a page without data', async () => {
    const url = await receiptUrlOf()
    const start = url.lastIndexOf('/') + 1
    for (let index = start; index < url.length; index += 1) {
      const other = url[index] === 'A' ? 'B' : 'A'
      expectNothing(await openPage(url.slice(0, index) + other + url.slice(index + 1)), 404)
    }
    for (const wrong of [
      url.slice(0, -1),
      `${url}A`,
      `${url.slice(0, start)}x`,
      `${url}${'A'.repeat(400)}`,
      `${url}=`,
      `${url}%00`,
    ])
      expectNothing(await openPage(wrong), 404)
  })

  test('the link to the receipt does not open the tracking page, and the link to the tracking page does not open the receipt', async () => {
    const { receiptUrl, trackingUrl } = await linksOf(started(), shop, order.id)
    expectNothing(await openPage(receiptUrl?.replace('/receipts/', '/tracking/') ?? null), 404)
    expectNothing(await openPage(trackingUrl.replace('/tracking/', '/receipts/')), 404)
  })

  test('a link with the signature of one link and the order or expiry of another link does not open a page', async () => {
    const other = await placeOrder(started(), shop)
    const [token = '', otherToken = ''] = [await receiptUrlOf(), await receiptUrlOf(other.id)].map(
      (url) => url.split('/').at(-1) ?? '',
    )
    const bytes = Buffer.from(otherToken, 'base64url')
    const signature = Buffer.from(token, 'base64url').subarray(-16)
    const mixed = Buffer.concat([bytes.subarray(0, -16), signature]).toString('base64url')
    expectNothing(await openPage(`${started().url}/receipts/${mixed}`), 404)
  })

  test('a validly signed link opens no page if its order does not belong to the merchant in the link', async () => {
    const stranger = await openShop(started().context)
    const link = {
      page: 'receipts',
      merchantId: MerchantId.parse(stranger.merchantId),
      orderId: OrderId.parse(order.id),
      expiresAt: toTimestamp(started().clock.nowMs() + dayMs),
    } as const
    expectNothing(await openPage(started().url + buyerPath(await keys(), link)), 404)
    const own = { ...link, merchantId: MerchantId.parse(shop.merchantId) }
    expect((await openPage(started().url + buyerPath(await keys(), own))).status).toBe(200)
  })

  test('a link signed with a previous signing key is valid as long as that key is stored', async () => {
    const [key] = await keys()
    if (key === undefined) throw new Error('There is no key.')
    const link = {
      page: 'tracking',
      merchantId: MerchantId.parse(shop.merchantId),
      orderId: OrderId.parse(order.id),
      expiresAt: toTimestamp(started().clock.nowMs() + dayMs),
    } as const
    const newer = { id: key.id + 1, secret: createSecretKey(randomBytes(32)) }
    const token = buyerPath([key], link).split('/').at(-1) ?? ''
    const expected = { page: 'tracking', nowMs: started().clock.nowMs() } as const
    expect(readBuyerLink([newer, key], token, expected)).toEqual({ is: 'valid', link })
    expect(readBuyerLink([newer], token, expected)).toEqual({ is: 'invalid' })
  })
})

describe('a page for a buyer', () => {
  test('a page for a buyer is not cached, indexed or framed, sends no referrer, runs no script and loads no other file', async () => {
    for (const url of [await receiptUrlOf(), `${started().url}/receipts/wrong`]) {
      const { headers, html } = await openPage(url)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[^ ]+'; form-action 'none'/,
        ),
      })
      expect(html).not.toMatch(/<script|<form|<img|<link|javascript:| on\w+=/)
    }
  })

  test('a page for a buyer supports GET and HEAD, and answers any other method with 405 and an error page', async () => {
    const url = await receiptUrlOf()
    expect(await openPage(url, { method: 'HEAD' })).toMatchObject({ status: 200, html: '' })
    const { status, headers, html } = await openPage(url, { method: 'POST' })
    expect([status, headers.get('allow'), headers.get('content-type')]).toEqual([
      405,
      'GET, HEAD',
      'text/html; charset=utf-8',
    ])
    expect(html).toContain('cannot be shown')
    expect(html).not.toContain('Try again')
  })

  test('a request for a page for a buyer gets an error page with 503 while 16 other requests from the same network are in progress', async () => {
    const url = await receiptUrlOf()
    const lock = { text: 'lock table receipts in access exclusive mode' }
    await whileLocked(started(), lock, async (holder) => {
      const pages = Array.from({ length: 17 }, () => openPage(url))
      const { status, headers, html } = await Promise.race(pages)
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(html).toContain('This page cannot be shown now')
      expect(html).toContain('Try again in a moment.')
      await holder.query('commit')
      const statuses = (await Promise.all(pages)).map((page) => page.status)
      expect(statuses.toSorted()).toEqual([...Array.from({ length: 16 }, () => 200), 503])
    })
  })
})
