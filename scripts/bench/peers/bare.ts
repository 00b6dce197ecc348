import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { decodeCursor, encodeCursor, listOrders, listOrdersAfter, type SummaryRow } from './statements.ts'

/**
 * A server that shows the minimum cost of two operations: it uses only node:http and node-postgres in pipeline mode,
 * and builds its responses by joining strings. It has no contract, validation, audit log or events. The merchants of
 * the tokens are in memory, and a refund and its idempotency key are one SQL statement.
 */
const merchantIds: Readonly<Record<string, string>> = JSON.parse(process.argv[3] ?? '{}')

function merchantOf({ headers: { authorization = '' } }: IncomingMessage): string {
  return merchantIds[authorization.slice('Bearer '.length)] ?? ''
}

/**
 * Number of database connections, each of which is a PostgreSQL process. Commits of different connections share a flush
 * to disk.
 */
const connectionCount = 8

const clients = Array.from({ length: connectionCount }, () => {
  return new pg.Client({ connectionString: process.argv[2], pipeline: true })
})
await Promise.all(clients.map((client) => client.connect()))

let turn = 0
function nextClient(): pg.Client {
  const client = clients[turn++ % connectionCount]
  if (client === undefined) throw new Error('There is no connection.')
  return client
}

const refundText = `
  with paid as (
    update orders
    set refunded_kobo = refunded_kobo + $4::bigint, version = version + 1, updated_at = $6::timestamptz
    where merchant_id = $1 and id = $2 and refunded_kobo + refund_pending_kobo + $4::bigint <= paid_kobo
      and not exists (select from idempotency_keys where merchant_id = $1 and route = 'POST /refunds' and key = $7)
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

const replayText = `
  select response_body
  from idempotency_keys
  where merchant_id = $1 and route = 'POST /refunds' and key = $2 and fingerprint = sha256($3::bytea)`

const orderText = `
  select id, number, status, total_kobo, created_at, customer_name, customer_email
  from orders
  where merchant_id = $1 and id = $2`

/** PostgreSQL's type id of `timestamptz`. Its text format is parsed, because a response contains RFC 3339 times. */
const timeTypeId = 1184
const types = { getTypeParser: (id: number) => (id === timeTypeId ? (value: string) => new Date(value) : String) }

async function listed(merchantId: string, url: URL): Promise<Reply> {
  return { status: 200, body: await list(merchantId, url) }
}

async function list(merchantId: string, url: URL): Promise<string> {
  const limit = Number(url.searchParams.get('limit') ?? 25)
  const cursor = url.searchParams.get('cursor')
  const statement = cursor === null ? listOrders : listOrdersAfter
  const values = [merchantId, limit + 1, ...(cursor === null ? [] : decodeCursor(cursor))]
  const { rows } = await nextClient().query<SummaryRow>({ ...statement, values, types })
  const hasMore = rows.length > limit
  const shown = hasMore ? rows.slice(0, limit) : rows
  const last = shown.at(-1)
  const next = hasMore && last !== undefined ? `"${encodeCursor(last)}"` : 'null'
  return `{"data":[${shown.map(summaryText).join(',')}],"pagination":{"cursor":${next},"limit":${limit},"hasMore":${hasMore}}}`
}

function summaryText(row: SummaryRow): string {
  const customer = `{"name":${JSON.stringify(row.customer_name)},"email":${JSON.stringify(row.customer_email)}}`
  return `{"id":"${row.id}","number":"${row.number}","status":"${row.status}","totalKobo":${row.total_kobo},"currency":"NGN","createdAt":"${row.created_at.toISOString()}","customer":${customer}}`
}

interface Reply {
  readonly status: number
  readonly body: string
}

async function refund(merchantId: string, incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const body: { orderId: string; amountKobo: number; reason: string } = JSON.parse(bytes.toString())
  const key = incoming.headers['idempotency-key'] ?? randomUUID()
  const values = [merchantId, body.orderId, `rfd_${randomUUID()}`, body.amountKobo, body.reason, new Date(), key, bytes]
  const client = nextClient()
  const { rows } = await client.query<{ response_body: string }>({ name: 'refund', text: refundText, values })
  const [created] = rows
  if (created !== undefined) return { status: 201, body: created.response_body }
  const replay = { name: 'replay', text: replayText, values: [merchantId, key, bytes] }
  const [stored] = (await client.query<{ response_body: string }>(replay)).rows
  if (stored === undefined) return { status: 409, body: '{"error":"refund_exceeds_refundable"}' }
  return { status: 201, body: stored.response_body }
}

async function find(merchantId: string, id: string): Promise<Reply> {
  const { rows } = await nextClient().query<SummaryRow>({
    name: 'find_order',
    text: orderText,
    values: [merchantId, id],
    types,
  })
  const [row] = rows
  if (row === undefined) return { status: 404, body: '{"error":"order_not_found"}' }
  return { status: 200, body: summaryText(row) }
}

const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? '', 'http://peer')
  const isRefund = incoming.method === 'POST'
  const [, , id] = url.pathname.split('/')
  const merchantId = merchantOf(incoming)
  const replying = isRefund
    ? refund(merchantId, incoming)
    : id === undefined
      ? listed(merchantId, url)
      : find(merchantId, id)
  const { status, body } = await replying
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  outgoing.end(body)
})
// Ends this process when its parent process ends, even if a signal ends the parent.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
