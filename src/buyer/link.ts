import { z } from 'zod'
import { buyerLinkDays } from '../../registry/values/limits.ts'
import { MerchantId, OrderId, type Timestamp, timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { type SigningKey, signText, verifyText } from '../base/signed-text.ts'

/**
 * Links to the pages for the buyer of an order. The token of a link is signed and not stored: anyone who has the link can
 * open the page until the link expires.
 */

export const buyerPages = ['receipts', 'tracking'] as const

/** A kind of page for buyers. Its name is the first segment of the path of the page. */
export type BuyerPage = (typeof buyerPages)[number]

export interface BuyerLink {
  readonly page: BuyerPage
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly expiresAt: Timestamp
}

/** The signed content of a token, as JSON. */
const Content = z.tuple([z.enum(buyerPages), MerchantId, OrderId, timestamp('When the link expires.')])

export function buyerPath(keys: readonly SigningKey[], { page, merchantId, orderId, expiresAt }: BuyerLink): string {
  return `/${page}/${signText(keys, JSON.stringify([page, merchantId, orderId, expiresAt]))}`
}

/** The origin of the links, such as `https://api.example.com`, and the keys that sign them, newest first. */
export interface LinkSigning {
  readonly origin: string
  readonly keys: readonly SigningKey[]
}

/** An order, and the number of its receipt if it has one. */
export interface LinkedOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly receiptNumber: number | null
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Returns the links to the pages for the buyer of an order. The links expire at the end of a day (UTC), so they stay
 * the same during a day: a dashboard page that refreshes itself shows the same links again.
 */
export function buyerLinksOf({ origin, keys }: LinkSigning, order: LinkedOrder, nowMs: number) {
  const { merchantId, orderId, receiptNumber } = order
  const expiresAt = toTimestamp(Math.ceil(nowMs / dayMs + buyerLinkDays) * dayMs)
  const urlOf = (page: BuyerPage) => origin + buyerPath(keys, { page, merchantId, orderId, expiresAt })
  return { receiptUrl: receiptNumber === null ? null : urlOf('receipts'), trackingUrl: urlOf('tracking'), expiresAt }
}

export type BuyerLinks = ReturnType<typeof buyerLinksOf>

export type ReadLinkOutcome =
  | { readonly is: 'valid'; readonly link: BuyerLink }
  /** The token is altered, was not issued by this service, or belongs to another kind of page. */
  | { readonly is: 'invalid' }
  | { readonly is: 'expired' }

/** Maximum length of a token in characters, longer than any that the service issues. */
const tokenMaxLength = 300

/** Reads nothing from the database, so that forged tokens cost little. */
export function readBuyerLink(
  keys: readonly SigningKey[],
  token: string,
  expected: { readonly page: BuyerPage; readonly nowMs: number },
): ReadLinkOutcome {
  const verified = token.length > tokenMaxLength ? undefined : verifyText(keys, token)
  if (verified?.is !== 'valid') return { is: 'invalid' }
  const [page, merchantId, orderId, expiresAt] = Content.parse(JSON.parse(verified.text))
  if (page !== expected.page) return { is: 'invalid' }
  if (toMs(expiresAt) <= expected.nowMs) return { is: 'expired' }
  return { is: 'valid', link: { page, merchantId, orderId, expiresAt } }
}
