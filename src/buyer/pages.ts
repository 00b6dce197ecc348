import type { MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import type { Clock } from '../base/clock.ts'
import type { SigningKey } from '../base/signed-text.ts'
import { html } from '../markup/markup.ts'
import type { ReadDb } from '../store/core/database.ts'
import type { PageRequest } from '../store/core/page.ts'
import { findShopOfOrder, listLostUnits, listTrackedShipments } from '../store/orders/buyer-pages.ts'
import { findOrder } from '../store/orders/orders.ts'
import { listPayments } from '../store/orders/payments.ts'
import { listRefunds } from '../store/refunds/refunds.ts'
import { documentOf, type Shown } from './layout.ts'
import { type BuyerPage, readBuyerLink } from './link.ts'
import { type Latest, receiptContent } from './receipt.ts'
import { trackingContent } from './tracking.ts'

/** Pages for the buyer of an order, to which a signed link leads: a receipt, and the tracking of the parcels. */

export interface BuyerPagesContext {
  readonly clock: Clock
  /** The keys that sign the links, newest first. */
  readonly keys: readonly SigningKey[]
  /** Returns the database from which data of a merchant is read: the primary or a standby. */
  readonly readDb: (merchantId: MerchantId) => Promise<ReadDb>
}

export interface BuyerAnswer {
  readonly status: 200 | 404 | 410
  readonly document: string
}

/** A token that is not valid gets a page without any data. */
export async function showBuyerPage(context: BuyerPagesContext, page: BuyerPage, token: string): Promise<BuyerAnswer> {
  const outcome = readBuyerLink(context.keys, token, { page, nowMs: context.clock.nowMs() })
  if (outcome.is === 'expired') return { status: 410, document: problemPage('This link has expired') }
  if (outcome.is === 'invalid') return notFound
  const { merchantId, orderId, expiresAt } = outcome.link
  const db = await context.readDb(merchantId)
  const shown = await contents[page](db, merchantId, orderId)
  return shown === undefined ? notFound : { status: 200, document: documentOf({ ...shown, expiresAt }) }
}

type Content = (db: ReadDb, merchantId: MerchantId, orderId: OrderId) => Promise<Shown | undefined>

/** Maximum number of payments and of refunds on a receipt, far more than almost any order has. */
const shownMax = 100

/** Number of rows to read: one more than the page shows. The additional row shows that further rows exist. */
const firstPage: PageRequest = { limit: shownMax + 1, after: undefined }

function latestOf<Row>(rows: readonly Row[]): Latest<Row> {
  return { rows: rows.slice(0, shownMax), hasMore: rows.length > shownMax }
}

const contents: Readonly<Record<BuyerPage, Content>> = {
  receipts: async (db, merchantId, orderId) => {
    const [order, shop, payments, refunds] = await Promise.all([
      findOrder(db, merchantId, orderId),
      findShopOfOrder(db, { merchantId, orderId }),
      listPayments(db, merchantId, { orderId }, firstPage),
      listRefunds(db, merchantId, { orderId }, firstPage),
    ])
    if (order === undefined || shop === undefined || shop.number === null || shop.issuedAt === null) return undefined
    const { number, issuedAt } = shop
    return {
      shop,
      title: 'Receipt',
      main: receiptContent({ number, issuedAt, order, payments: latestOf(payments), refunds: latestOf(refunds) }),
    }
  },
  tracking: async (db, merchantId, orderId) => {
    const [order, shop, shipments, lost] = await Promise.all([
      findOrder(db, merchantId, orderId),
      findShopOfOrder(db, { merchantId, orderId }),
      listTrackedShipments(db, { merchantId, orderId }),
      listLostUnits(db, { merchantId, orderId }),
    ])
    if (order === undefined || shop === undefined) return undefined
    return { shop, title: `Order ${order.number}`, main: trackingContent({ order, shipments, lost }) }
  },
}

export function problemPage(title: string, advice = 'Ask the shop for a new link.'): string {
  return documentOf({ title, main: html`<p>${advice}</p>` })
}

/** The page of a link that this service did not issue. */
export const missingPage = problemPage('This page does not exist')

const notFound: BuyerAnswer = { status: 404, document: missingPage }
