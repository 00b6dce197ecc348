import { sql } from 'kysely'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { runInBatches } from '../core/run-in-batches.ts'
import { build, reading, writing } from '../core/statement.ts'

/**
 * The inbound webhooks of payment providers. Each is stored as received, then processed once, as applied or ignored.
 */

export interface CallbackKey {
  readonly merchantId: MerchantId
  readonly id: string
}

export interface NewCallback extends CallbackKey {
  readonly body: Buffer
  readonly bodyHash: Buffer
  readonly kind: string | null
  readonly subject: string | null
  /** The reference of the payment, by which the anonymisation of a customer finds the callback. */
  readonly paymentReference: string | null
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
  readonly now: Timestamp
}

const insert = writing<NewCallback>()(
  'insert_callback',
  (p) => sql<{ id: string }>`
    insert into provider_callbacks (
      merchant_id, id, provider, body, body_hash, kind, subject, payment_reference, source_ip, request_id, user_agent,
      received_at, next_attempt_at
    )
    values (
      ${p.merchantId}, ${p.id}, 'paystack', ${p.body}, ${p.bodyHash}, ${p.kind}, ${p.subject}, ${p.paymentReference},
      ${p.sourceIp}::inet, ${p.requestId}, ${p.userAgent}, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict on constraint callback_is_stored_once do update
    set
      body = excluded.body, next_attempt_at = excluded.next_attempt_at, outcome = null, reason = null, processed_at = null
    where provider_callbacks.kind like 'refund.%'
      and provider_callbacks.subject is null
      and provider_callbacks.outcome = 'ignored'
    returning id`,
)

/**
 * Stores a callback. Returns false when the same bytes are already stored, because providers resend callbacks whose
 * response they missed. An ignored refund callback that names only the payment is reopened instead: two equal refunds
 * of one payment have the same bytes. Its body is stored again, because the stored body may have been redacted.
 */
export async function storeCallback(database: Database, callback: NewCallback): Promise<boolean> {
  return (await database.run(insert, callback)).length > 0
}

export interface DueCallback extends CallbackKey {
  readonly body: Uint8Array
  readonly kind: string | null
  readonly subject: string | null
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
}

/**
 * Duration of a worker's claim of a callback, in seconds. Applying a callback takes milliseconds. After this time,
 * another worker may claim the callback.
 */
const leaseSeconds = 60

export const callbackClaim = writing<{ merchantId: MerchantId; now: Timestamp }>()(
  'claim_callback',
  (p) => sql<DueCallback>`
    with due as (
      select merchant_id, id
      from provider_callbacks
      where merchant_id = ${p.merchantId} and next_attempt_at <= ${p.now}::timestamptz
      order by next_attempt_at, id
      limit 1
      for update skip locked
    )
    update provider_callbacks callback
    set next_attempt_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)})
    from due
    where callback.merchant_id = due.merchant_id and callback.id = due.id
    returning
      callback.merchant_id as "merchantId", callback.id, callback.body, callback.kind, callback.subject,
      host(callback.source_ip) as "sourceIp", callback.request_id as "requestId", callback.user_agent as "userAgent"`,
)

/**
 * Claims the oldest due callback. Callbacks are claimed one at a time, so that they are applied in order of arrival.
 */
export async function claimCallback(
  database: Database,
  merchantId: MerchantId,
  now: Timestamp,
): Promise<DueCallback | undefined> {
  return (await database.run(callbackClaim, { merchantId, now }))[0]
}

interface Resolution extends CallbackKey {
  readonly outcome: 'applied' | 'ignored'
  readonly reason: string | null
  /** The order that the callback names, if the payment in the callback is not recorded. */
  readonly orderId: OrderId | null
  readonly now: Timestamp
}

/**
 * Marks a callback as processed. It redacts the body if the customer of the order was anonymised before the callback
 * was processed.
 */
const markProcessed = writing<Resolution>()(
  'mark_callback_processed',
  (p) => sql<{ id: string }>`
    update provider_callbacks callback
    set
      outcome = ${p.outcome},
      reason = ${p.reason},
      processed_at = ${p.now}::timestamptz,
      next_attempt_at = null,
      body = case when exists (
        select
        from orders
        join customers on customers.merchant_id = orders.merchant_id and customers.id = orders.customer_id
        where orders.merchant_id = callback.merchant_id
          and customers.status = 'anonymised'
          and orders.id in (
            select ${p.orderId}::text
            union all
            select payments.order_id
            from payments
            where payments.merchant_id = callback.merchant_id and payments.reference = callback.payment_reference
          )
      ) then '' else body end
    where merchant_id = ${p.merchantId} and id = ${p.id} and processed_at is null
    returning id`,
)

/** Marks a callback as processed. Returns false when another worker has processed it; the caller must change nothing then. */
export async function resolveCallback(trx: WriteTrx, resolution: Resolution): Promise<boolean> {
  return (await trx.write(markProcessed, resolution)).length > 0
}

const reopen = writing<{ merchantId: MerchantId; reference: string }>()(
  'reopen_dispute_callbacks',
  (p) => sql`
    update provider_callbacks
    set outcome = null, reason = null, processed_at = null, next_attempt_at = received_at
    where merchant_id = ${p.merchantId}
      and payment_reference = ${p.reference}
      and kind like 'charge.dispute.%'
      and outcome = 'ignored'
      and reason = 'payment_unknown'
      and octet_length(body) > 0`,
)

/**
 * Reopens the dispute callbacks of a payment that has just been recorded. They are applied in order of arrival. Workers
 * of an earlier release ignore such a dispute without storing it.
 */
export function reopenDisputeCallbacks(trx: WriteTrx, payment: { merchantId: MerchantId; reference: string }): void {
  trx.queue(reopen, payment)
}

export const merchantsWithCallbacks = reading<{ now: Timestamp }>()('merchants_with_callbacks', (p) =>
  build
    .selectFrom('provider_callbacks')
    .where('next_attempt_at', '<=', p.now)
    .select('merchant_id as merchantId')
    .distinct(),
)

/** Returns the merchants with callbacks of payment providers that are due to be processed. */
export async function listMerchantsWithCallbacks(db: ReadDb, now: Timestamp): Promise<MerchantId[]> {
  return (await db.read(merchantsWithCallbacks, { now })).map(({ merchantId }) => merchantId)
}

/**
 * Maximum number of callbacks that one statement redacts. An update of 1,000 rows takes a fraction of a second, because
 * the bodies are not read.
 */
const redactMax = 1000

export const oldCallbackRedaction = writing<{ processedBefore: Timestamp }>()(
  'redact_callbacks',
  (p) => sql<{ id: string }>`
    update provider_callbacks
    set body = ''
    where (merchant_id, id) in (
      select merchant_id, id
      from provider_callbacks
      where processed_at < ${p.processedBefore}::timestamptz and octet_length(body) > 0
      order by processed_at
      limit ${sql.lit(redactMax)}
      for update skip locked
    )
    returning id`,
)

/** Redacts the bodies of callbacks processed before a time. Returns the number of redacted callbacks. */
export function redactCallbacks(database: Database, processedBefore: Timestamp): Promise<number> {
  return runInBatches(database, { statement: oldCallbackRedaction, args: { processedBefore }, size: redactMax })
}
