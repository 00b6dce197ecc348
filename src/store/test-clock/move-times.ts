import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import type { WriteTrx } from '../core/database.ts'
import { columnOf } from '../core/names.ts'
import { movingTables } from './fixed-times.ts'

/**
 * One step of an advance of the test clock: all stored times of the merchant in test mode are moved back by the same
 * span.
 */
interface Move {
  readonly merchantId: MerchantId
  readonly spanMs: number
}

interface MoveOfTable extends Move {
  readonly table: string
  readonly fixed: readonly string[]
  readonly documents: readonly string[]
}

/**
 * The SQL function `move_times_back` rejects merchants of live mode. The triggers of append-only tables allow only the
 * changes that this function makes.
 */
const moveTable = queueing<MoveOfTable>()(
  'move_times_back',
  (p) => sql`
    select move_times_back(
      ${p.merchantId}, ${p.table}, ${p.fixed}::text[], ${p.documents}::text[], ${p.spanMs}::bigint
    )`,
)

/**
 * Marks all days with orders or refunds as changed, so that their sales summaries are computed again. Called before and
 * after the times of the orders and refunds are moved, so that both the old and the new days are marked.
 */
const markSales = queueing<{ merchantId: MerchantId }>()(
  'mark_sales_of_test_clock',
  (p) => sql`
    insert into sales_changes (merchant_id, day)
    select ${p.merchantId}, day
    from (
      select (created_at at time zone 'Africa/Lagos')::date from orders where merchant_id = ${p.merchantId}
      union
      select (created_at at time zone 'Africa/Lagos')::date from refunds where merchant_id = ${p.merchantId}
    ) as sold (day)`,
)

const listReferencesOf = listing<{ merchantId: MerchantId }>()(
  'list_attempt_references',
  (p) => sql<{ reference: string }>`select reference from dispatch_attempts where merchant_id = ${p.merchantId}`,
)

/**
 * Returns the references of a merchant's dispatch attempts. The simulated carriers store each order under such a
 * reference.
 */
export async function listAttemptReferences(
  ...[db, args]: Parameters<typeof listReferencesOf>
): Promise<readonly string[]> {
  return (await listReferencesOf(db, args)).map(({ reference }) => reference)
}

/**
 * The orders at the simulated carriers belong to no merchant, so they are found by the references of the merchant's
 * shipments.
 */
const moveSimulatedOrders = queueing<{ references: readonly string[]; spanMs: number }>()(
  'move_simulated_orders',
  (p) => sql`
    update simulated_orders
    set
      next_callback_at = next_callback_at - ${p.spanMs}::float8 * interval '1 ms',
      created_at = created_at - ${p.spanMs}::float8 * interval '1 ms',
      accepted_at = accepted_at - ${p.spanMs}::float8 * interval '1 ms',
      cancelled_at = cancelled_at - ${p.spanMs}::float8 * interval '1 ms'
    where reference = any(${p.references}::text[])`,
)

const moveSimulatedPayments = queueing<Move>()(
  'move_simulated_payments',
  (p) => sql`
    update simulated_payments set paid_at = paid_at - ${p.spanMs}::float8 * interval '1 ms' where account = ${p.merchantId}`,
)

const moveSimulatedRefunds = queueing<Move>()(
  'move_simulated_refunds',
  (p) => sql`
    update simulated_refunds
    set
      created_at = created_at - ${p.spanMs}::float8 * interval '1 ms',
      details_at = details_at - ${p.spanMs}::float8 * interval '1 ms'
    where account = ${p.merchantId}`,
)

/**
 * The callbacks of a merchant are found by the key of the simulated account, which contains the merchant's id. This
 * search is fast, because the table contains only the few callbacks that are not sent yet.
 */
const moveSimulatedCallbacks = queueing<Move>()(
  'move_simulated_payment_callbacks',
  (p) => sql`
    update simulated_payment_callbacks
    set due_at = due_at - ${p.spanMs}::float8 * interval '1 ms'
    where starts_with(key, 'sk_test_' || ${p.merchantId}::text || '_')`,
)

/**
 * Queues the statements that move all times in a merchant's records back. The duration of these statements is
 * proportional to the number of the merchant's rows.
 */
export function moveTimesBack(
  trx: WriteTrx,
  { merchantId, spanMs }: Move,
  { references }: { readonly references: readonly string[] },
): void {
  markSales(trx, { merchantId })
  for (const { table, fixed, documents } of movingTables()) {
    const names = { fixed: fixed.map(columnOf), documents: documents.map(columnOf) }
    moveTable(trx, { merchantId, table, ...names, spanMs })
  }
  markSales(trx, { merchantId })
  moveSimulatedOrders(trx, { references, spanMs })
  moveSimulatedPayments(trx, { merchantId, spanMs })
  moveSimulatedRefunds(trx, { merchantId, spanMs })
  moveSimulatedCallbacks(trx, { merchantId, spanMs })
}
