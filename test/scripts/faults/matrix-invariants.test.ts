import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type CommerceInvariant,
  commerceViolationsSeenBy,
  findCommerceViolations,
} from '../../../scripts/faults/matrix/invariants.ts'
import { openJournal, type Request, readJournal } from '../../../scripts/faults/matrix/journal.ts'
import { startLoad } from '../../../scripts/faults/matrix/load.ts'
import { openShop, type Shop } from '../../../scripts/faults/matrix/shop.ts'
import { addressOf, useApi } from '../../support/api.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The check of the fault matrix must find no violation in a correct database, and must find each corruption of it. */

const started = useApi()
let folder: string
let shop: Shop
let journal: readonly Request[]

/** Number of recorded requests: enough for every kind of request with every outcome. */
const operationsMin = 300

beforeAll(async () => {
  const { database, url } = started()
  folder = await mkdtemp(join(tmpdir(), 'commerce-matrix-'))
  // No worker runs, so no deliveries are sent to the receivers.
  const receiversUrl = 'http://127.0.0.1:9'
  shop = await openShop({ database, url, receiversUrl, ownReceiversUrl: receiversUrl })
  const path = join(folder, 'journal.jsonl')
  const file = await openJournal(path)
  const load = startLoad({ url, shop, journal: file, seed: 'invariants', mayDisconnect: true, waitedMs: () => 0 })
  while ((await readJournal(path)).length < operationsMin) await load.recoveredAfter(performance.now())
  const { complaints } = await load.stop()
  await file.close()
  expect(complaints).toEqual([])
  journal = await readJournal(path)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the check of the fault matrix finds no violation in a correct database', async () => {
  const { ownerConnectionString } = started()
  expect(await findCommerceViolations(ownerConnectionString, { tenant: shop.tenant, journal })).toEqual([])
})

const first = (table: string, condition = 'true') =>
  `(merchant_id, id) = (select merchant_id, id from ${table} where ${condition} order by id limit 1)`
const firstOf = (action: Request['action']) => (request: Request) =>
  request.action === action && request.outcome === 'acknowledged' && !request.isReplayed

interface Corruption {
  readonly sql?: string
  /** Returns a changed copy of the clients' journal that contradicts the database. */
  readonly journal?: (journal: readonly Request[]) => readonly Request[]
}

const absent = 'rfd_00000000000000000000000000'
const changed = (isChanged: (request: Request) => boolean, change: Partial<Request>) => (all: readonly Request[]) => {
  const index = all.findIndex(isChanged)
  return all.map((request, at) => (at === index ? { ...request, ...change } : request))
}

/** For each invariant, a change that corrupts the database. An invariant without such a change is a compile error. */
const corruptions: Record<CommerceInvariant, Corruption> = {
  'an acknowledged refund exists as acknowledged': { journal: changed(firstOf('refund'), { recordId: absent }) },
  'an acknowledged customer exists': { journal: changed(firstOf('customer'), { recordId: absent }) },
  'an acknowledged order exists': { journal: changed(firstOf('order'), { recordId: absent }) },
  'an order with an acknowledged cancellation is cancelled': {
    journal: changed(firstOf('cancel'), { orderId: absent }),
  },
  'the refunds of an order are at most its payments, and its sums are correct': {
    sql: `update refunds set amount_kobo = amount_kobo + 1 where ${first('refunds')}`,
  },
  'the requests of one key have one refund': {
    journal: changed(({ isReplayed }) => isReplayed, { recordId: absent }),
  },
  'a refund was acknowledged': { journal: (all) => all.filter(({ action }) => action !== 'refund') },
  'a succeeded refund has one event': {
    sql: `delete from webhook_events where ${first('webhook_events', "kind = 'order.refunded'")}`,
  },
  'an order has one event of its creation': {
    sql: `delete from webhook_events where ${first('webhook_events', "kind = 'order.created'")}`,
  },
  'an event belongs to a record': {
    sql: `update webhook_events set resource_id = 'ord_unknown' where ${first('webhook_events')}`,
  },
  'a paid order has a receipt, and the numbers of receipts have no gap': {
    sql: `update orders set paid_at = created_at where ${first('orders', 'paid_at is null')}`,
  },
  'stock is never negative and equals its movements': { sql: 'update inventory set on_hand = on_hand + 1' },
  'an acknowledged change of stock is one movement': {
    journal: changed(firstOf('stock'), { requestId: 'req_unknown' }),
  },
  'a change has one audit row': { journal: changed(firstOf('customer'), { requestId: 'req_unknown' }) },
  'a rejected request changed nothing': { journal: changed(firstOf('customer'), { outcome: 'rejected' }) },
  'a refund has an audit row': {
    sql: `insert into audit_log
        (merchant_id, id, occurred_at, request_id, source_ip, user_agent, actor_type, actor_id, actor_label, action, resource_type, resource_id)
      select merchant_id, 'aud_00000000000000000000000000', occurred_at, request_id, source_ip, user_agent, actor_type, actor_id, actor_label, action, resource_type, resource_id
      from audit_log where ${first('audit_log', "action = 'refund.create'")}`,
  },
  'a stored key has its response': {
    sql: `update idempotency_keys set response_body = null, response_status = null
      where key = (select min(key) from idempotency_keys)`,
  },
  'an order changed its status only by allowed transitions': {
    sql: `insert into order_status_changes
        (merchant_id, order_id, version, from_status, to_status, reason, actor_type, actor_id, occurred_at)
      select merchant_id, id, 99, 'cancelled', 'pending', null, 'token', null, created_at
      from orders where ${first('orders')}`,
  },
}

test.each(
  Object.entries(corruptions),
)('the check of the fault matrix finds a violation of the invariant: %s', async (invariant, corruption) => {
  // The statement runs as a superuser, because the owner of the tables may not write to the audit log.
  const client = new pg.Client({ connectionString: started().superuserConnectionString })
  await client.connect()
  try {
    await client.query('begin')
    if (corruption.sql !== undefined) expect((await client.query(corruption.sql)).rowCount).toBe(1)
    const read = corruption.journal?.(journal) ?? journal
    const found = await commerceViolationsSeenBy(client, { tenant: shop.tenant, journal: read })
    expect(found.map((violation) => violation.invariant)).toContain(invariant)
  } finally {
    await client.end()
  }
})

test.each([
  { retryAfter: '1', isValid: true },
  { retryAfter: '0', isValid: false },
  { retryAfter: undefined, isValid: false },
])('the check of the fault matrix finds a rejection whose Retry-After header has a wrong value: $retryAfter', async ({
  retryAfter,
  isValid,
}) => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    // The clients repeat a refund that was rejected with 503 until its outcome is certain.
    const isRejected = requests <= 10
    const error = isRejected ? { code: 'service_unavailable', retryable: true } : { code: 'idempotency_conflict' }
    const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
    response.writeHead(isRejected ? 503 : 409, headers).end(JSON.stringify({ error }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const file = await openJournal(join(folder, `rejections-${retryAfter}.jsonl`))
  const url = `http://127.0.0.1:${addressOf(server.address()).port}`
  const load = startLoad({ url, shop, journal: file, seed: 'rejections', mayDisconnect: false, waitedMs: () => 0 })
  await waitFor(() => expect(requests).toBeGreaterThan(10), { timeout: 60_000 })
  const { complaints } = await load.stop()
  await file.close()
  expect(complaints.filter((complaint) => complaint.includes('Retry-After'))).toHaveLength(isValid ? 0 : 10)
})
