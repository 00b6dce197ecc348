import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { integer, text } from './json-types.ts'
import type { NamedStatement } from './statements.ts'

/**
 * Creates refunds in the Fastify service: one transaction that stores an idempotency key, with a statement for each
 * step.
 */

interface RefundBody {
  readonly orderId: string
  readonly amountKobo: number
  readonly reason: string
}

const refundBody = {
  type: 'object',
  required: ['orderId', 'amountKobo', 'reason'],
  properties: { orderId: text, amountKobo: { type: 'integer', minimum: 1 }, reason: text },
  additionalProperties: false,
} as const

const refundReply = {
  type: 'object',
  properties: {
    id: text,
    orderId: text,
    orderNumber: text,
    amountKobo: integer,
    currency: text,
    reason: text,
    status: text,
    createdAt: text,
    order: { type: 'object', properties: { refundedKobo: integer, refundableKobo: integer, paymentStatus: text } },
  },
} as const

const lockKey: NamedStatement = {
  name: 'lock_key',
  text: `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`,
}

const findKey: NamedStatement = {
  name: 'find_key',
  text: `
    select fingerprint, response_status, response_body
    from idempotency_keys
    where merchant_id = $1 and route = 'POST /refunds' and key = $2 and expires_at > now()`,
}

const lockOrder: NamedStatement = {
  name: 'lock_order',
  text: `
    select number, paid_kobo, refunded_kobo, refund_pending_kobo
    from orders
    where merchant_id = $1 and id = $2
    for no key update`,
}

const updateOrder: NamedStatement = {
  name: 'update_order',
  text: `
    update orders
    set refunded_kobo = refunded_kobo + $3, version = version + 1, updated_at = $4
    where merchant_id = $1 and id = $2
    returning payment_status`,
}

const insertRefund: NamedStatement = {
  name: 'insert_refund',
  text: `
    insert into refunds (
      merchant_id, id, order_id, amount_kobo, reason, status, destination, provider, order_refunded_kobo,
      order_refundable_kobo, order_payment_status, created_by_type, succeeded_at, created_at, updated_at
    )
    values ($1, $2, $3, $4, $5, 'succeeded', 'manual', 'manual', $6, $7, $8, 'system', $9, $9, $9)`,
}

const insertKey: NamedStatement = {
  name: 'insert_key',
  text: `
    insert into idempotency_keys (
      merchant_id, route, key, fingerprint, token_id, request_id, response_status, response_body, created_at, expires_at
    )
    values ($1, 'POST /refunds', $2, $3, 'fastify', $4, $5, $6, now(), now() + interval '24 hours')`,
}

interface OrderRow {
  readonly number: string
  readonly paid_kobo: string
  readonly refunded_kobo: string
  readonly refund_pending_kobo: string
}

interface KeyRow {
  readonly fingerprint: Buffer
  readonly response_status: number
  readonly response_body: string
}

export function addRefunds(app: FastifyInstance, pool: pg.Pool): void {
  app.post<{ Body: RefundBody }>(
    '/refunds',
    { schema: { body: refundBody, response: { 201: refundReply } }, config: { scope: 'refunds:write' } },
    async (request, reply) => {
      const { merchantId, body } = request
      const key = String(request.headers['idempotency-key'] ?? randomUUID())
      const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest()
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query({ ...lockKey, values: [merchantId, key] })
        const [stored] = (await client.query<KeyRow>({ ...findKey, values: [merchantId, key] })).rows
        if (stored !== undefined) {
          await client.query('rollback')
          if (!stored.fingerprint.equals(fingerprint)) return reply.code(409).send({ error: 'idempotency_conflict' })
          reply.code(stored.response_status).header('content-type', 'application/json').serializer(String)
          return reply.send(stored.response_body)
        }
        const refund = await createRefund(client, merchantId, body)
        if (refund === undefined) {
          await client.query('rollback')
          return reply.code(409).send({ error: 'refund_exceeds_refundable' })
        }
        const responseBody = JSON.stringify(refund)
        await client.query({ ...insertKey, values: [merchantId, key, fingerprint, request.id, 201, responseBody] })
        await client.query('commit')
        return reply.code(201).send(refund)
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  )
}

async function createRefund(client: pg.PoolClient, merchantId: string, { orderId, amountKobo, reason }: RefundBody) {
  const [order] = (await client.query<OrderRow>({ ...lockOrder, values: [merchantId, orderId] })).rows
  if (order === undefined) return undefined
  const refundedKobo = Number(order.refunded_kobo) + amountKobo
  const refundableKobo = Number(order.paid_kobo) - Number(order.refund_pending_kobo) - refundedKobo
  if (refundableKobo < 0) return undefined
  const id = `rfd_${randomUUID()}`
  const now = new Date()
  const updated = await client.query<{ payment_status: string }>({
    ...updateOrder,
    values: [merchantId, orderId, amountKobo, now],
  })
  const paymentStatus = updated.rows[0]?.payment_status ?? ''
  const amounts = [refundedKobo, refundableKobo, paymentStatus]
  await client.query({ ...insertRefund, values: [merchantId, id, orderId, amountKobo, reason, ...amounts, now] })
  return {
    id,
    orderId,
    orderNumber: order.number,
    amountKobo,
    currency: 'NGN',
    reason,
    status: 'succeeded',
    createdAt: now.toISOString(),
    order: { refundedKobo, refundableKobo, paymentStatus },
  }
}
