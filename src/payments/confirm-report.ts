import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { chargeOf } from '../partners/payments/charge.ts'
import type {
  CallbackReport,
  FindOutcome,
  ListOutcome,
  PaymentOutcome,
  ReportedDispute,
  Unavailable,
} from '../partners/payments/provider.ts'
import type { Connection } from '../store/payments/provider-keys.ts'
import { disputableSince } from './disputable-since.ts'
import { type OpenedKey, openProviderKey, type PaymentContext } from './open-key.ts'

/**
 * Reads the payments, refunds and disputes that unsigned callbacks name from the provider's API. Only the API's response
 * has an effect.
 */

export type Confirmation =
  | { readonly is: 'confirmed'; readonly report: CallbackReport }
  /**
   * The provider's API does not have the reported payment, refund or dispute, or rejected the request that reads it.
   * The API may lag behind the callback.
   */
  | { readonly is: 'denied'; readonly reason: string }
  /** The report could not be confirmed, because the provider did not respond or the merchant has no key. */
  | { readonly is: 'unavailable'; readonly reason: string }
  /** The job has read its maximum number of records from the provider. */
  | { readonly is: 'exhausted' }

interface Unconfirmed {
  readonly report: CallbackReport
  readonly receivedAt: Timestamp
}

/**
 * Maximum number of records that one job reads from a provider for a merchant. Anyone who knows the secret in unsigned
 * callbacks can send any number of callbacks, whose reads must not delay the merchant's other requests to the provider.
 */
const readsMax = 60

/**
 * Returns the function that confirms callbacks during one job. A response about a record confirms every callback about
 * this record that arrived before the request was sent.
 */
export function openConfirmations(
  context: PaymentContext,
  { merchantId, provider: name }: Connection,
): (callback: Unconfirmed) => Promise<Confirmation> {
  const budget = { left: readsMax }
  const payments = openReads<PaymentOutcome>(context, budget)
  const refunds = openReads<FindOutcome>(context, budget)
  const disputes = openReads<ListOutcome<ReportedDispute>>(context, budget)
  let opened: Promise<OpenedKey | undefined> | undefined
  return async ({ report, receivedAt }) => {
    if (report.is === 'other') return { is: 'confirmed', report }
    opened ??= openProviderKey(context, merchantId, name)
    const key = await opened
    if (key === undefined) return { is: 'unavailable', reason: 'no_key' }
    switch (report.is) {
      case 'charged':
      case 'unmatched':
        return confirmCharge(key, report, (subject, read) => payments({ subject, receivedAt }, read))
      case 'refund_moved':
        return confirmRefund(key, report, (subject, read) => refunds({ subject, receivedAt }, read))
      case 'dispute': {
        const { provider, secretKey } = key
        const listed = await disputes(
          { subject: 'disputes', receivedAt },
          async () =>
            provider.listDisputes?.(secretKey, disputableSince(context)) ?? {
              is: 'unavailable',
              reason: 'unsupported',
            },
        )
        return confirmDispute(listed, report)
      }
    }
  }
}

type Reads<Outcome> = (subject: string, read: () => Promise<Outcome>) => Promise<Outcome | Exhausted>

type Exhausted = Extract<Confirmation, { is: 'exhausted' }>

/**
 * Returns a function that reads each payment, refund or dispute from the provider once, for all callbacks about this
 * record. If a callback arrived after the start of the read, it may report a later state, so the function reads the
 * record again for this callback.
 */
function openReads<Outcome>(
  { clock }: PaymentContext,
  budget: { left: number },
): (of: { subject: string; receivedAt: Timestamp }, read: () => Promise<Outcome>) => Promise<Outcome | Exhausted> {
  const reads = new Map<string, { readonly startedAt: Timestamp; readonly outcome: Promise<Outcome> }>()
  return async ({ subject, receivedAt }, read) => {
    const known = reads.get(subject)
    if (known !== undefined && receivedAt < known.startedAt) return known.outcome
    if (budget.left === 0) return { is: 'exhausted' }
    budget.left -= 1
    const started = { startedAt: toTimestamp(clock.nowMs()), outcome: read() }
    reads.set(subject, started)
    return started.outcome
  }
}

type Of<Is extends CallbackReport['is']> = Extract<CallbackReport, { is: Is }>

const unreadable: Confirmation = { is: 'confirmed', report: { is: 'other', reason: 'unreadable' } }

/** A reference can have several transactions, so the transaction is read by the provider's id in the callback. */
async function confirmCharge(
  { provider, secretKey }: OpenedKey,
  { reference, providerId }: Of<'charged'> | Of<'unmatched'>,
  reads: Reads<PaymentOutcome>,
): Promise<Confirmation> {
  if (reference === null || providerId === null || provider.findPaymentById === undefined) return unreadable
  const { findPaymentById } = provider
  const found = await reads(providerId, () => findPaymentById(secretKey, providerId))
  if (found.is === 'exhausted') return found
  if (found.is === 'unavailable') return unconfirmed(found)
  if (found.is === 'missing' || found.report.reference !== reference) return { is: 'denied', reason: 'not_found' }
  if (!found.report.isPaid) return { is: 'denied', reason: 'not_paid' }
  return { is: 'confirmed', report: chargeOf(found.report) }
}

/** Only the provider's id of the refund is taken from the callback; everything else is read from the provider's API. */
async function confirmRefund(
  { provider, secretKey }: OpenedKey,
  { reference }: Of<'refund_moved'>,
  reads: Reads<FindOutcome>,
): Promise<Confirmation> {
  if (reference === undefined) return unreadable
  const found = await reads(reference, () => provider.findRefund(secretKey, reference))
  if (found.is === 'exhausted') return found
  if (found.is === 'unavailable') return unconfirmed(found)
  if (found.is === 'missing' || found.report.reference !== reference) return { is: 'denied', reason: 'not_found' }
  const { status, amountKobo } = found.report
  const names = { refundId: undefined, isForeign: false, transaction: undefined }
  return { is: 'confirmed', report: { is: 'refund_moved', status, reference, amountKobo, ...names } }
}

function confirmDispute(
  listed: ListOutcome<ReportedDispute> | Exhausted,
  { disputeId }: ReportedDispute,
): Confirmation {
  if (listed.is === 'exhausted') return listed
  if (listed.is === 'unavailable') return unconfirmed(listed)
  const report = listed.items.find((each) => each.disputeId === disputeId)
  return report === undefined ? { is: 'denied', reason: 'not_found' } : { is: 'confirmed', report }
}

function unconfirmed({ reason, isRefused = false }: Unavailable): Confirmation {
  return { is: isRefused ? 'denied' : 'unavailable', reason }
}
