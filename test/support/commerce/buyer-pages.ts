import { expect } from 'vitest'
import type { TestApi } from '../api.ts'
import { textOf } from '../page-text.ts'
import type { Shop } from '../shop.ts'

export interface BuyerLinks {
  readonly receiptUrl: string | null
  readonly trackingUrl: string
  readonly expiresAt: string
}

export async function linksOf(api: TestApi, { token }: Shop, orderId: string): Promise<BuyerLinks> {
  const reply = await api.send('GET', `/api/v1/orders/${orderId}/buyer-links`, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

export interface OpenedPage {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** The text of the page, without markup and the style sheet. */
  readonly text: string
}

/** Opens a page for a buyer, without a token, as a browser does. */
export async function openPage(url: string | null, init?: RequestInit): Promise<OpenedPage> {
  if (url === null) throw new Error('The order has no such page.')
  const { status, headers, ...response } = await fetch(url, init).then(async (found) => ({
    status: found.status,
    headers: found.headers,
    html: await found.text(),
  }))
  const { html } = response
  const text = textOf(html.slice(html.indexOf('<body>')))
  return { status, headers, html, text }
}

export const openReceipt = async (api: TestApi, shop: Shop, orderId: string): Promise<OpenedPage> =>
  openPage((await linksOf(api, shop, orderId)).receiptUrl)

export const openTracking = async (api: TestApi, shop: Shop, orderId: string): Promise<OpenedPage> =>
  openPage((await linksOf(api, shop, orderId)).trackingUrl)
