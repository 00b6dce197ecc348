import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'

/**
 * The reference server of the benchmark: only node:http and pg with prepared statements. It has no contract, tokens, audit
 * log or events; a refund and its idempotency key are one SQL statement.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 20 })
const merchantId = process.argv[3] ?? ''

const listText = `
  select id, number, status, total_kobo, created_at, customer_name, customer_email
  from orders
  where merchant_id = $1
  order by created_at desc, id desc
  limit $2`

const listAfterText = `
  select id, number, status, total_kobo, created_at, customer_name, customer_email
  from orders
  where merchant_id = $1 and (created_at, id) < ($3::timestamptz, $4)
  order by created_at desc, id desc
  limit $2`

const refundText = `
  with paid as (
    update orders
    set refunded_kobo = refunded_kobo + $4::bigint, version = version + 1, updated_at = $6::timestamptz
    where merchant_id = $1 and id = $2 and refunded_kobo + refund_pending_kobo + $4::bigint <= paid_kobo
    returning id, refunded_kobo, paid_kobo - refunded_kobo - refund_pending_kobo as refundable_kobo, payment_status
  ), refunded as (
    insert into refunds (
      merchant_id, id, order_id, amount_kobo, reason, status, destination, provider, order_refunded_kobo,
      order_refundable_kobo, order_payment_status, created_by_type, succeeded_at, created_at, updated_at
    )
    select $1, $3, id, $4, $5, 'succeeded', 'manual', 'manual', refunded_kobo, refundable_kobo, payment_status, 'system',
      $6::timestamptz, $6::timestamptz, $6::timestamptz
    from paid
    returning id, order_id, amount_kobo, reason, status, order_refunded_kobo, order_refundable_kobo
  )
  insert into idempotency_keys (
    merchant_id, route, key, fingerprint, token_id, request_id, response_status, response_body, created_at, expires_at
  )
  select $1, 'POST /refunds', $7, sha256($8::bytea), 'reference', $3, 201, row_to_json(refunded)::text,
    $6::timestamptz, $6::timestamptz + interval '24 hours'
  from refunded
  returning response_body`

interface Row {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly total_kobo: string
  readonly created_at: Date
  readonly customer_name: string
  readonly customer_email: string
}

async function list(url: URL): Promise<object> {
  const limit = Number(url.searchParams.get('limit') ?? 25)
  const cursor = url.searchParams.get('cursor')
  const after: string[] = cursor === null ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const { rows } = await pool.query<Row>({
    name: cursor === null ? 'list' : 'list_after',
    text: cursor === null ? listText : listAfterText,
    values: [merchantId, limit + 1, ...after],
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  const next = last && Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url')
  return {
    data: page.map((row) => ({
      id: row.id,
      number: row.number,
      status: row.status,
      totalKobo: Number(row.total_kobo),
      currency: 'NGN',
      createdAt: row.created_at,
      customer: { name: row.customer_name, email: row.customer_email },
    })),
    pagination: { cursor: hasMore ? next : null, limit, hasMore },
  }
}

async function refund(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const body: { orderId: string; amountKobo: number; reason: string } = JSON.parse(bytes.toString())
  const key = incoming.headers['idempotency-key'] ?? randomUUID()
  const values = [merchantId, body.orderId, `rfd_${randomUUID()}`, body.amountKobo, body.reason, new Date(), key, bytes]
  const { rows } = await pool.query<{ response_body: string }>({ name: 'refund', text: refundText, values })
  return rows[0]?.response_body ?? '{"error":"refund_exceeds_refundable"}'
}

const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? '', 'http://reference')
  const isRefund = incoming.method === 'POST'
  const body = isRefund ? await refund(incoming) : JSON.stringify(await list(url))
  outgoing.writeHead(isRefund ? 201 : 200, { 'Content-Type': 'application/json' })
  outgoing.end(body)
})
// The parent process ended, perhaps by a signal.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
