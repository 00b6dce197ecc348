import pg from 'pg'
import { orderTransitions } from '../../../registry/orders/order-states.ts'
import type { Tenant } from '../../../src/store/core/mutation.ts'
import type { Request } from './journal.ts'

/**
 * The invariants of a merchant's records. Each is a query that returns the violating rows. The table `journal` contains
 * the requests of the clients and their outcomes. $1 is the merchant, $2 and $3 are the allowed transitions of an
 * order.
 */
const queries = {
  'an acknowledged refund exists as acknowledged': `
    select journal.number, journal.record_id
    from journal
    left join refunds on refunds.merchant_id = $1 and refunds.id = journal.record_id
    where journal.action = 'refund' and journal.outcome = 'acknowledged'
      and (refunds.id is null or refunds.amount_kobo <> journal.amount or refunds.order_id <> journal.order_id)`,
  'an acknowledged customer exists': `
    select number, record_id from journal
    where action = 'customer' and outcome = 'acknowledged'
      and not exists (select from customers where merchant_id = $1 and id = record_id)`,
  'an acknowledged order exists': `
    select number, record_id from journal
    where action = 'order' and outcome = 'acknowledged'
      and not exists (select from orders where merchant_id = $1 and id = record_id)`,
  'an order with an acknowledged cancellation is cancelled': `
    select journal.number, journal.order_id from journal
    where action = 'cancel' and outcome = 'acknowledged'
      and not exists (select from orders where merchant_id = $1 and id = order_id and status = 'cancelled')`,
  'the refunds of an order are at most its payments, and its sums are correct': `
    select orders.id, orders.paid_kobo, orders.refunded_kobo, orders.refund_pending_kobo, sums.*
    from orders
    cross join lateral (
      select
        coalesce(sum(amount_kobo) filter (where status = 'succeeded'), 0) as succeeded,
        coalesce(sum(amount_kobo) filter (where status not in ('succeeded', 'failed', 'cancelled')), 0) as pending
      from refunds where refunds.merchant_id = $1 and refunds.order_id = orders.id
    ) sums
    where orders.merchant_id = $1
      and (
        succeeded + pending > paid_kobo or succeeded <> refunded_kobo or pending <> refund_pending_kobo
        or paid_kobo <> (
          select coalesce(sum(amount_kobo), 0) from payments
          where merchant_id = $1 and order_id = orders.id and voided_at is null
        )
      )`,
  'a paid order has a receipt, and the numbers of receipts have no gap': `
    select id from orders
    where merchant_id = $1 and paid_at is not null
      and not exists (select from receipts where merchant_id = $1 and order_id = orders.id)
    union all
    select order_id from receipts
    where merchant_id = $1 and number > (select count(*) from receipts where merchant_id = $1)`,
  'the requests of one key have one refund': `
    select key, array_agg(distinct record_id) from journal
    where action = 'refund' and outcome = 'acknowledged'
    group by key having count(distinct record_id) > 1 or count(distinct amount) > 1`,
  'a refund was acknowledged': `
    select id from refunds
    where merchant_id = $1
      and not exists (select from journal where action = 'refund' and outcome = 'acknowledged' and record_id = refunds.id)`,
  'a succeeded refund has one event': `
    select id from refunds
    where merchant_id = $1
      and (case status when 'succeeded' then 1 else 0 end) <> (
        select count(*) from webhook_events where merchant_id = $1 and kind = 'order.refunded' and resource_id = refunds.id
      )`,
  'an order has one event of its creation': `
    select id from orders
    where merchant_id = $1
      and 1 <> (
        select count(*) from webhook_events where merchant_id = $1 and kind = 'order.created' and resource_id = orders.id
      )`,
  'an event belongs to a record': `
    select id, kind, resource_id from webhook_events event
    where merchant_id = $1 and not is_test
      and not exists (select from orders where merchant_id = $1 and id = event.resource_id)
      and not exists (select from refunds where merchant_id = $1 and id = event.resource_id)
      and not exists (select from payments where merchant_id = $1 and id = event.resource_id)`,
  'stock is never negative and equals its movements': `
    select inventory.variant_id, inventory.on_hand, inventory.reserved, sums.*
    from inventory
    cross join lateral (
      select coalesce(sum(on_hand_delta), 0) as on_hand_change, coalesce(sum(reserved_delta), 0) as reserved_change
      from stock_movements
      where stock_movements.merchant_id = $1 and stock_movements.variant_id = inventory.variant_id
    ) sums
    where inventory.merchant_id = $1
      and (
        on_hand < 0 or reserved < 0 or reserved > on_hand
        or on_hand <> on_hand_change or reserved <> reserved_change
      )`,
  'an acknowledged change of stock is one movement': `
    select number, amount from journal
    where action = 'stock' and outcome = 'acknowledged'
      and 1 <> (
        select count(*) from audit_log where merchant_id = $1 and audit_log.request_id = journal.request_id
          and action = 'inventory.adjust'
      )`,
  'a change has one audit row': `
    select journal.number, journal.request_id from journal
    where outcome = 'acknowledged' and not is_replayed
      and 1 <> (
        select count(*) from audit_log where merchant_id = $1 and audit_log.request_id = journal.request_id
      )`,
  'a rejected request changed nothing': `
    select journal.number, journal.request_id from journal
    where outcome = 'rejected'
      and exists (select from audit_log where merchant_id = $1 and audit_log.request_id = journal.request_id)`,
  'a refund has an audit row': `
    select id from refunds
    where merchant_id = $1
      and 1 <> (
        select count(*) from audit_log
        where merchant_id = $1 and audit_log.resource_id = refunds.id and audit_log.action = 'refund.create'
      )`,
  'a stored key has its response': `
    select key from idempotency_keys where merchant_id = $1 and (response_status is null or response_body is null)`,
  'an order changed its status only by allowed transitions': `
    select order_id, from_status, to_status from order_status_changes
    where merchant_id = $1
      and (from_status, to_status) not in (select * from unnest($2::text[], $3::text[]))`,
} as const

export type CommerceInvariant = keyof typeof queries

export interface CommerceViolation {
  readonly invariant: CommerceInvariant
  readonly rows: readonly unknown[]
}

export interface Checked {
  readonly tenant: Tenant
  readonly journal: readonly Request[]
}

/** The connection must be that of the owner of the tables. */
export async function findCommerceViolations(connectionString: string, checked: Checked): Promise<CommerceViolation[]> {
  const client = new pg.Client({ connectionString, statement_timeout: statementMaxMs })
  await client.connect()
  try {
    await client.query('begin')
    return await commerceViolationsSeenBy(client, checked)
  } finally {
    await client.end()
  }
}

/**
 * Timeout of a statement that checks an invariant. A round has some hundred rows, which a query reads in milliseconds.
 */
const statementMaxMs = 60_000

/** Maximum number of violating rows that a report includes. Further rows usually have the same cause. */
const rowsMax = 5

/** Returns the violations that the given transaction sees, including its uncommitted changes. */
export async function commerceViolationsSeenBy(
  client: pg.ClientBase,
  { tenant, journal }: Checked,
): Promise<CommerceViolation[]> {
  await client.query(`
    create temporary table journal (
      number integer primary key, action text not null, key text, order_id text, amount bigint, outcome text not null,
      record_id text, request_id text, is_replayed boolean not null
    ) on commit drop`)
  const rows = journal.map(({ orderId, recordId, requestId, isReplayed, ...row }) => ({
    ...row,
    order_id: orderId,
    record_id: recordId,
    request_id: requestId,
    is_replayed: isReplayed,
  }))
  await client.query('insert into journal select * from json_populate_recordset(null::journal, $1)', [
    JSON.stringify(rows),
  ])
  await client.query('analyze journal')
  const moves = Object.entries(orderTransitions).flatMap(([from, to]) => to.map((each) => [from, each] as const))
  const parameters = [tenant.merchantId, moves.map(([from]) => from), moves.map(([, to]) => to)]
  const found: CommerceViolation[] = []
  for (const invariant of commerceInvariants) {
    // PostgreSQL requires a type for every parameter of a query. The query therefore casts each parameter, even one
    // that it does not use.
    const { rows: violating } = await client.query(
      `with given as (select $1::text, $2::text[], $3::text[]) ${queries[invariant]} limit ${rowsMax}`,
      parameters,
    )
    if (violating.length > 0) found.push({ invariant, rows: violating })
  }
  return found
}

const commerceInvariants = Object.keys(queries).filter((key): key is CommerceInvariant => Object.hasOwn(queries, key))
