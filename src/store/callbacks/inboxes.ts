import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import { build } from '../core/statement.ts'
import { openInbox } from './inbox.ts'

/**
 * The inboxes of carriers and of payment providers. Each inbox has a table of its own. The rows of one table cannot
 * move into the other, because processes of the earlier release also store and claim callbacks during an upgrade.
 */

/** The values of a payment callback by which the callback can be found after its body was deleted. */
export interface PaymentContent {
  readonly kind: string | null
  readonly subject: string | null
  /** The reference of the payment, by which the anonymisation of a customer finds the callback. */
  readonly paymentReference: string | null
}

/**
 * The body of a payment callback, in the exact bytes that its provider signed. The callback is applied from these
 * bytes.
 */
export interface PaymentBody {
  readonly sender: PaymentProviderName
  readonly body: Uint8Array
}

export const providerCallbacks = openInbox<PaymentContent, PaymentBody>({
  table: 'provider_callbacks',
  senderColumn: 'provider',
  hashColumn: 'bodyHash',
  once: 'callback_is_stored_once',
  content: (p) => ({ kind: p.kind, subject: p.subject, paymentReference: p.paymentReference }),
  applied: sql`callback.body`,
  // If the provider repeats an ignored refund callback that names only the payment, the callback is processed again. It
  // may be about another refund, because the callbacks of two equal refunds of one payment have the same bytes. The
  // body is stored again, because the stored body may have been redacted.
  reopens: () => sql`
    provider_callbacks.kind like 'refund.%'
    and provider_callbacks.subject is null
    and provider_callbacks.outcome = 'ignored'`,
  // The body is redacted in two cases. In the first case, the customer of the order was anonymised before the callback
  // was processed. In the second case, the callback is about a refund and names no payment, so a later anonymisation
  // could not find the callback.
  processedBody: (p) => sql`
    case when callback.kind like 'refund.%' and callback.payment_reference is null then '' when exists (
      select
      from orders
      join customers on customers.merchant_id = orders.merchant_id and customers.id = orders.customer_id
      where orders.merchant_id = ${p.merchantId}
        and customers.status = 'anonymised'
        and orders.id in (
          select ${p.orderId}::text
          union all
          select payments.order_id
          from payments
          where payments.merchant_id = ${p.merchantId} and payments.reference = callback.payment_reference
        )
    ) then '' else body end`,
  redacted: sql`body = ''`,
  idPrefix: 'clb',
  job: 'apply_callbacks',
  senderKind: 'payment provider',
})

/** The values that a carrier's adapter parsed from a callback when it verified the signature of the callback. */
export interface CarrierContent {
  /** JSON text of the parsed events, or of the order references of an unsigned callback. */
  readonly parsedBody: string
  /** Whether the callback has a valid signature. */
  readonly isTrusted: boolean
}

/**
 * The values of a stored carrier callback: its parsed content, and whether its signature was valid when the callback
 * arrived. The signature is not verified again, because the secret of the account may have changed since.
 */
export interface CarrierReading {
  readonly parsedBody: unknown
  readonly isTrusted: boolean
}

export const carrierCallbacks = openInbox<CarrierContent, CarrierReading>({
  table: 'carrier_callbacks',
  senderColumn: 'carrier',
  hashColumn: 'dedupeHash',
  once: 'carrier_callback_is_stored_once',
  content: (p) => ({ parsedBody: sql`${p.parsedBody}::jsonb`, isTrusted: p.isTrusted }),
  applied: sql`callback.parsed_body, callback.is_trusted`,
  reopens: (p) => sql`
    not carrier_callbacks.is_trusted
    and carrier_callbacks.processed_at < ${p.hintsBefore}::timestamptz`,
  processedBody: () => sql`body`,
  redacted: sql`body = '', parsed_body = null`,
  idPrefix: 'ccb',
  job: 'apply_carrier_callbacks',
  senderKind: 'carrier',
})

/** Returns the carrier callbacks that could not be applied because of a fault of this service, newest first. */
export const listFailedCallbacks = listing<{ merchantId: MerchantId; limit: number }>()('list_failed_callbacks', (p) =>
  build
    .selectFrom('carrier_callbacks')
    .where('merchantId', '=', p.merchantId)
    .where('error', 'is not', null)
    .where((where) => where.or([where('outcome', '=', 'failed'), where('processedAt', 'is', null)]))
    .select(['id', 'carrier', 'receivedAt', 'failures', 'error', 'outcome'])
    .select('nextAttemptAt')
    .orderBy('receivedAt', 'desc')
    .limit(p.limit),
)

/**
 * Reopens the dispute callbacks of a payment that has just been recorded. The callbacks are then applied in order of
 * arrival. This is necessary because workers of an earlier release ignore a dispute of an unknown payment without
 * storing it.
 */
export const reopenDisputeCallbacks = queueing<{ merchantId: MerchantId; reference: string }>()(
  'reopen_dispute_callbacks',
  (p) => sql`
    update provider_callbacks
    set outcome = null, reason = null, processed_at = null, next_attempt_at = received_at
    where merchant_id = ${p.merchantId}
      and payment_reference = ${p.reference}
      and subject like 'dispute %'
      and outcome = 'ignored'
      and reason = 'payment_unknown'
      and octet_length(body) > 0`,
)
