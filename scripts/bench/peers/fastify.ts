import Fastify from 'fastify'
import pg from 'pg'
import { addQuotes } from './fastify-quotes.ts'
import { addRefunds } from './fastify-refunds.ts'
import { integer, nullableText, text } from './json-types.ts'
import {
  decodeCursor,
  encodeCursor,
  findToken,
  hashOf,
  listOrders,
  listOrdersAfter,
  type NamedStatement,
  type SummaryRow,
} from './statements.ts'

/**
 * The server with which the service is compared: a Fastify server as an engineer would write it by hand. It validates
 * requests, serializes responses, and uses node-postgres with named statements. It looks up the token for each request.
 * It has no contract, audit log, events, rate limits or signed cursors.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 20, idleTimeoutMillis: 0 })
const app = Fastify()

app.decorateRequest('merchantId', '')
declare module 'fastify' {
  interface FastifyRequest {
    merchantId: string
  }
  interface FastifyContextConfig {
    scope?: string
  }
}

interface TokenRow {
  readonly merchant_id: string
  readonly scopes: readonly string[]
}

app.addHook('onRequest', async (request, reply) => {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme !== 'Bearer') return reply.code(401).send({ error: 'missing_token' })
  const { rows } = await pool.query<TokenRow>({ ...findToken, values: [hashOf(token)] })
  const [found] = rows
  if (found === undefined) return reply.code(401).send({ error: 'invalid_token' })
  if (!found.scopes.includes(request.routeOptions.config.scope ?? '')) {
    return reply.code(403).send({ error: 'insufficient_scope' })
  }
  request.merchantId = found.merchant_id
})

const summary = {
  type: 'object',
  properties: {
    id: text,
    number: text,
    status: text,
    totalKobo: integer,
    currency: text,
    createdAt: text,
    customer: { type: 'object', properties: { name: text, email: text } },
  },
} as const

const page = {
  type: 'object',
  properties: {
    data: { type: 'array', items: summary },
    pagination: { type: 'object', properties: { cursor: nullableText, limit: integer, hasMore: { type: 'boolean' } } },
  },
} as const

interface ListQuery {
  readonly limit: number
  readonly cursor?: string
}

const listQuery = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 }, cursor: text },
  additionalProperties: false,
} as const

app.get<{ Querystring: ListQuery }>(
  '/orders',
  { schema: { querystring: listQuery, response: { 200: page } }, config: { scope: 'orders:read' } },
  async ({ query: { limit, cursor }, merchantId }) => {
    const statement = cursor === undefined ? listOrders : listOrdersAfter
    const after = cursor === undefined ? [] : decodeCursor(cursor)
    const { rows } = await pool.query<SummaryRow>({ ...statement, values: [merchantId, limit + 1, ...after] })
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = rows.length > limit
    return {
      data: shown.map(summaryOf),
      pagination: { cursor: hasMore && last ? encodeCursor(last) : null, limit, hasMore },
    }
  },
)

function summaryOf(row: SummaryRow) {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    totalKobo: Number(row.total_kobo),
    currency: 'NGN',
    createdAt: row.created_at.toISOString(),
    customer: { name: row.customer_name, email: row.customer_email },
  }
}

const findOrder: NamedStatement = {
  name: 'find_order',
  text: `
    select id, number, status, total_kobo, created_at, customer_name, customer_email, customer_phone, payment_status,
      fulfillment_status, subtotal_kobo, discount_kobo, tax_kobo, paid_kobo, refunded_kobo, version
    from orders
    where merchant_id = $1 and id = $2`,
}

const listItems: NamedStatement = {
  name: 'list_items',
  text: `
    select id, variant_id, sku, title, quantity, unit_price_kobo, total_kobo
    from order_items
    where merchant_id = $1 and order_id = $2
    order by position`,
}

interface FoundOrder extends SummaryRow {
  readonly customer_phone: string | null
  readonly payment_status: string
  readonly fulfillment_status: string
  readonly subtotal_kobo: string
  readonly discount_kobo: string
  readonly tax_kobo: string
  readonly paid_kobo: string
  readonly refunded_kobo: string
  readonly version: number
}

interface ItemRow {
  readonly id: string
  readonly variant_id: string | null
  readonly sku: string
  readonly title: string
  readonly quantity: number
  readonly unit_price_kobo: string
  readonly total_kobo: string
}

const foundOrder = {
  type: 'object',
  properties: {
    ...summary.properties,
    customer: { type: 'object', properties: { name: text, email: text, phone: nullableText } },
    paymentStatus: text,
    fulfillmentStatus: text,
    subtotalKobo: integer,
    discountKobo: integer,
    taxKobo: integer,
    paidKobo: integer,
    refundedKobo: integer,
    version: integer,
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          variantId: nullableText,
          sku: text,
          title: text,
          quantity: integer,
          unitPriceKobo: integer,
          totalKobo: integer,
        },
      },
    },
  },
} as const

app.get<{ Params: { readonly id: string } }>(
  '/orders/:id',
  { schema: { response: { 200: foundOrder } }, config: { scope: 'orders:read' } },
  async ({ params: { id }, merchantId }, reply) => {
    const values = [merchantId, id]
    const [orders, items] = await Promise.all([
      pool.query<FoundOrder>({ ...findOrder, values }),
      pool.query<ItemRow>({ ...listItems, values }),
    ])
    const [row] = orders.rows
    if (row === undefined) return reply.code(404).send({ error: 'order_not_found' })
    const found = summaryOf(row)
    return {
      ...found,
      customer: { ...found.customer, phone: row.customer_phone },
      paymentStatus: row.payment_status,
      fulfillmentStatus: row.fulfillment_status,
      subtotalKobo: Number(row.subtotal_kobo),
      discountKobo: Number(row.discount_kobo),
      taxKobo: Number(row.tax_kobo),
      paidKobo: Number(row.paid_kobo),
      refundedKobo: Number(row.refunded_kobo),
      version: row.version,
      items: items.rows.map((item) => ({
        id: item.id,
        variantId: item.variant_id,
        sku: item.sku,
        title: item.title,
        quantity: item.quantity,
        unitPriceKobo: Number(item.unit_price_kobo),
        totalKobo: Number(item.total_kobo),
      })),
    }
  },
)

addRefunds(app, pool)
addQuotes(app, pool, process.argv[3] ?? '')

// Ends this process when its parent process ends, even if a signal ends the parent.
process.on('disconnect', () => process.exit())
process.send?.({ port: Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port) })
