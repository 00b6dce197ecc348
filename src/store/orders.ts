import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { pageSize } from '../../registry/limits.ts'
import type { Order, OrderSummary } from '../../registry/order.ts'
import {
  type FulfillmentStatus,
  type OrderStatus,
  orderTransitions,
  type PaymentStatus,
} from '../../registry/order-states.ts'
import type { CustomerId, MerchantId, OrderId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb } from './database.ts'
import { asRecord } from './json.ts'
import type { PageRequest } from './page.ts'
import { build, type ReadStatement, reading } from './statement.ts'

export interface OrderFilters {
  readonly status?: readonly OrderStatus[] | undefined
  readonly paymentStatus?: readonly PaymentStatus[] | undefined
  readonly fulfillmentStatus?: readonly FulfillmentStatus[] | undefined
  readonly createdFrom?: Timestamp | undefined
  readonly createdTo?: Timestamp | undefined
  readonly updatedFrom?: Timestamp | undefined
  readonly customerId?: CustomerId | undefined
  readonly customerEmail?: string | undefined
  readonly number?: string | undefined
  readonly externalReference?: string | undefined
  readonly q?: string | undefined
}

type Present<Filters> = { readonly [Name in keyof Filters]-?: NonNullable<Filters[Name]> }

interface ListArgs extends Present<OrderFilters> {
  readonly merchantId: MerchantId
  readonly limit: number
  readonly afterCreatedAt: Timestamp
  readonly afterId: string
}

interface SummaryRow {
  readonly id: OrderId
  readonly number: string
  readonly status: OrderStatus
  readonly totalKobo: OrderSummary['totalKobo']
  readonly createdAt: Timestamp
  readonly name: string
  readonly email: string
}

/** One prepared statement for each set of filters in use: a plan that fits, and no filter that is never true. */
const listStatements = new Map<string, ReadStatement<ListArgs, SummaryRow>>()

export async function listOrders(
  db: ReadDb,
  merchantId: MerchantId,
  filters: OrderFilters,
  page: PageRequest,
): Promise<OrderSummary[]> {
  const present = Object.entries(filters).filter(([, value]) => value !== undefined)
  const names = new Set(present.map(([name]) => name))
  if (page.after !== undefined) names.add('after')
  const literalLimit = usualLimits.has(page.limit) ? page.limit : undefined
  const shape = [...names].sort().join(',') + (literalLimit ?? '')
  let statement = listStatements.get(shape)
  if (statement === undefined) {
    statement = listStatement(names, literalLimit)
    listStatements.set(shape, statement)
  }
  const rows = await db.read(statement, {
    ...asPresent({
      ...filters,
      q: filters.q === undefined ? undefined : `%${escapeLike(filters.q)}%`,
      afterCreatedAt: page.after?.createdAt,
      afterId: page.after?.id,
    }),
    merchantId,
    limit: page.limit,
  })
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    status: row.status,
    totalKobo: row.totalKobo,
    currency: 'NGN',
    createdAt: row.createdAt,
    customer: { name: row.name, email: row.email },
  }))
}

type Optional = Omit<ListArgs, 'merchantId' | 'limit'>

/** A statement has a place only for the filters it was built for, and those are present. */
function asPresent(filters: { readonly [Name in keyof Optional]?: Optional[Name] | undefined }): Optional {
  return filters as Optional
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * PostgreSQL plans a statement anew for every run while its limit is an argument, because it cannot know how little will
 * be read. With the usual limits in the text it keeps the plan, which saves a third of its work for a page. Any other
 * limit stays an argument, so that clients cannot make statements without end.
 */
const usualLimits: ReadonlySet<number> = new Set([pageSize.default + 1, pageSize.max + 1])

function listStatement(
  names: ReadonlySet<string>,
  literalLimit: number | undefined,
): ReadStatement<ListArgs, SummaryRow> {
  return reading<ListArgs>()('list_orders', (p) => {
    let query = build
      .selectFrom('orders')
      .where('merchant_id', '=', p.merchantId)
      .select(['id', 'number', 'status', 'total_kobo as totalKobo', 'created_at as createdAt'])
      .select(['customer_name as name', 'customer_email as email'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(literalLimit === undefined ? p.limit : sql.lit(literalLimit))
    if (names.has('after')) {
      query = query.where(sql<boolean>`(created_at, id) < (${p.afterCreatedAt}::timestamptz, ${p.afterId})`)
    }
    if (names.has('status')) query = query.where(sql<boolean>`status = any(${p.status}::text[])`)
    if (names.has('paymentStatus')) query = query.where(sql<boolean>`payment_status = any(${p.paymentStatus}::text[])`)
    if (names.has('fulfillmentStatus')) {
      query = query.where(sql<boolean>`fulfillment_status = any(${p.fulfillmentStatus}::text[])`)
    }
    if (names.has('createdFrom')) query = query.where('created_at', '>=', p.createdFrom)
    if (names.has('createdTo')) query = query.where('created_at', '<', p.createdTo)
    if (names.has('updatedFrom')) query = query.where('updated_at', '>=', p.updatedFrom)
    if (names.has('customerId')) query = query.where('customer_id', '=', p.customerId)
    if (names.has('customerEmail')) query = query.where(sql<boolean>`lower(customer_email) = lower(${p.customerEmail})`)
    if (names.has('number')) query = query.where('number', '=', p.number)
    if (names.has('externalReference')) query = query.where('external_reference', '=', p.externalReference)
    if (names.has('q')) {
      query = query.where(
        sql<boolean>`(number ilike ${p.q} or customer_name ilike ${p.q} or customer_email ilike ${p.q} or customer_phone like ${p.q})`,
      )
    }
    return query
  })
}

const find = reading<{ merchantId: MerchantId; id: OrderId }>()('find_order', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .selectAll('orders')
    .select((order) => [
      jsonArrayFrom(
        order
          .selectFrom('order_items')
          .whereRef('order_items.merchant_id', '=', 'orders.merchant_id')
          .whereRef('order_items.order_id', '=', 'orders.id')
          .orderBy('position')
          .select([
            'id',
            'product_id as productId',
            'variant_id as variantId',
            'sku',
            'title',
            'variant_title as variantTitle',
            sql<Record<string, string>>`option_values`.as('optionValues'),
            'image_url as imageUrl',
            'quantity',
            'fulfilled_quantity as fulfilledQuantity',
            'returned_quantity as returnedQuantity',
            'refunded_quantity as refundedQuantity',
            'unit_price_kobo as unitPriceKobo',
            'compare_at_price_kobo as compareAtPriceKobo',
            'subtotal_kobo as subtotalKobo',
            'discount_kobo as discountKobo',
            'tax_rate_bps as taxRateBps',
            'tax_kobo as taxKobo',
            'total_kobo as totalKobo',
          ]),
      ).as('items'),
      jsonArrayFrom(
        order
          .selectFrom('order_discounts')
          .whereRef('order_discounts.merchant_id', '=', 'orders.merchant_id')
          .whereRef('order_discounts.order_id', '=', 'orders.id')
          .orderBy('position')
          .select(['discount_id as discountId', 'code', 'type', 'amount_kobo as amountKobo']),
      ).as('discounts'),
    ]),
)

/** The whole order in one statement, lines and discounts included. */
export async function findOrder(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Order | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  if (row === undefined) return undefined
  const refundableKobo = row.paid_kobo - row.refunded_kobo - row.refund_pending_kobo
  return asRecord<Order>({
    id: row.id,
    number: row.number,
    status: row.status,
    totalKobo: row.total_kobo,
    currency: 'NGN',
    createdAt: row.created_at,
    version: row.version,
    paymentStatus: row.payment_status,
    fulfillmentStatus: row.fulfillment_status,
    paymentMethod: row.payment_method,
    customer: {
      id: row.customer_id,
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone,
    },
    items: row.items,
    subtotalKobo: row.subtotal_kobo,
    discountKobo: row.discount_kobo,
    shippingKobo: row.shipping_kobo,
    taxKobo: row.tax_kobo,
    taxInclusive: row.tax_inclusive,
    taxRateBps: row.tax_rate_bps,
    paidKobo: row.paid_kobo,
    refundedKobo: row.refunded_kobo,
    refundPendingKobo: row.refund_pending_kobo,
    refundableKobo,
    balanceKobo: row.total_kobo - row.paid_kobo,
    discounts: row.discounts,
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    shipments: [],
    note: row.note,
    customerNote: row.customer_note,
    tags: row.tags,
    externalReference: row.external_reference,
    expiresAt: row.expires_at,
    cancelReason: row.cancel_reason,
    source: row.source,
    allowedTransitions: [...orderTransitions[row.status]],
    confirmedAt: row.confirmed_at,
    paidAt: row.paid_at,
    shippedAt: row.shipped_at,
    deliveredAt: row.delivered_at,
    cancelledAt: row.cancelled_at,
    returnedAt: row.returned_at,
    updatedAt: row.updated_at,
    metadata: row.metadata,
  })
}
