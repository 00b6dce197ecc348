import type { MerchantId, RefundId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import type { FindOutcome, RefundReport, SubmitOutcome } from '../partners/payments/provider.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import {
  type ClaimedRefund,
  claimRefunds,
  clearRefundSubmission,
  markResubmitted,
  postponeRefund,
  recordRefundNotFound,
} from '../store/refunds/refund-claims.ts'
import { notifyOfCondition } from './notify.ts'
import { type OpenedKey, openProviderKey, type PaymentContext } from './open-key.ts'
import { disputedMinutes, nextTimeInMinutes, now, type Payer, payerOf, retryMinutes } from './payer.ts'
import { applyUpdate, compareAmounts, recordReport, updateOf } from './refund-report.ts'

/**
 * Submits committed refunds to the payment provider and polls them until they are final. The row holds the state; a job
 * only triggers the work.
 *
 *   never submitted, still on the database server it was created on ── claim records the submission ── submit
 *   otherwise ── search by refund id first, because a failover or restore may have lost the recorded submission
 *   payment disputed, and the provider does not have the refund ── postponed until the dispute ends
 *
 *   pending ── claim records the submission ── submit ─┬─ accepted ── reference recorded; polled until final
 *      ^                                               ├─ rejected ── failed; the amount can be refunded again
 *      └────────── not submitted, retry later ─────────┤
 *                                                      └─ unknown, or a crash ── search ─┬─ found: as accepted
 *                                                              ^──── missing once, later ┤
 *                                                                                        └─ missing twice: submit
 */

/**
 * Maximum time between the claim and the submission of a refund. A worker that was suspended for longer must not
 * submit, because another worker may already have claimed and searched for the refund.
 */
const claimFreshMs = 30_000

/**
 * The provider filters its list of refunds by its own clock, so the search for a refund starts one day earlier than the
 * refund.
 */
const searchMarginMs = 24 * 3_600_000

/**
 * Maximum number of ids of submitted refunds that a process remembers, more than it submits in a day. If the database
 * loses the record of a submission, the process still has the id. After a restart of the process, the search by refund
 * id finds the refund instead.
 */
const rememberedMax = 50_000

/** Returns the number of processed refunds. */
export async function payRefunds(context: PaymentContext, merchantId: MerchantId): Promise<number> {
  let count = 0
  while (context.stopping?.aborted !== true) {
    const claimed = await claimRefunds(context.database, merchantId, now(context))
    if (claimed.length === 0) return count
    count += claimed.length
    const keys = await keysOf(context, merchantId, claimed)
    await Promise.all(
      claimed.map((refund) =>
        // An error thrown while a refund is processed is a fault of this service, such as a lost database connection.
        // The claim of the refund then expires, and the refund is retried.
        processRefund(context, refund, keys.get(refund.provider)).catch((error) =>
          context.log.error({ err: error, merchantId, refundId: refund.id }, 'A refund could not be processed.'),
        ),
      ),
    )
  }
  return count
}

async function keysOf(context: PaymentContext, merchantId: MerchantId, refunds: readonly ClaimedRefund[]) {
  const providers = [...new Set(refunds.map(({ provider }) => provider))]
  const keys = providers.map(async (name) => [name, await openProviderKey(context, merchantId, name)] as const)
  return new Map(await Promise.all(keys))
}

async function processRefund(
  context: PaymentContext,
  refund: ClaimedRefund,
  key: OpenedKey | undefined,
): Promise<void> {
  if (key === undefined) return retryUnsubmitted(context, refund, 'no_key')
  const payer = payerOf(context, key)
  if (refund.reference !== null) return poll(payer, refund, refund.reference)
  if (isCertainlyNew(refund)) return mustWait(refund) ? holdOrFail(payer, refund) : submit(payer, refund, true)
  const found = await search(payer, refund)
  switch (found.is) {
    case 'found':
      return recordReport(payer, refund, found.report)
    case 'unavailable':
      return retryUnknown(payer, refund, found.reason)
    case 'missing':
      return submitMissing(payer, refund)
  }
}

/** Submits a refund again after two searches at the provider did not find the refund. */
async function submitMissing(context: Payer, refund: ClaimedRefund): Promise<void> {
  const { notFoundSince } = refund
  const nowMs = context.clock.nowMs()
  if (notFoundSince === null) await recordRefundNotFound(context.database, refund, toTimestamp(nowMs))
  const settledMs = (notFoundSince === null ? nowMs : toMs(notFoundSince)) + context.searchIntervalMs
  // The refund was certainly not submitted if two searches did not find it. The second search must have been claimed at
  // least one search interval after the first search.
  const isAbsent = context.searchIntervalMs === 0 || (notFoundSince !== null && toMs(refund.claimedAt) >= settledMs)
  if (!isAbsent) {
    return postpone(context, refund, { nextCheckAt: toTimestamp(settledMs), isUnsubmitted: isNeverSubmitted(refund) })
  }
  if (mustWait(refund)) return holdOrFail(context, refund)
  const claimedAt = now(context)
  // If no earlier submission is recorded, the time of the current claim is stored as the time of the first submission.
  const submittedAt = refund.submittedBeforeAt ?? refund.claimedAt
  const isOurs = await markResubmitted(context.database, refund, submittedAt, claimedAt)
  return isOurs ? submit(context, { ...refund, claimedAt }, false) : undefined
}

/**
 * A disputed payment cannot be refunded. After a lost dispute, older refunds have priority for the rest of the payment.
 */
function mustWait({ isDisputed, isLost, isBehind }: ClaimedRefund): boolean {
  return isDisputed || isLost || isBehind
}

/**
 * Postpones or fails a refund that the provider does not have. The refund waits until the dispute of its payment or the
 * older refunds of the payment have ended. The refund fails if a lost dispute left too little of the payment.
 */
async function holdOrFail(context: Payer, refund: ClaimedRefund): Promise<void> {
  const { id: refundId, merchantId } = refund
  if (refund.isLost) {
    context.log.warn({ merchantId, refundId }, 'A lost dispute left too little of a payment for a refund.')
    return applyUpdate(context, refund, { status: 'failed', failure: disputeLost })
  }
  const { isDisputed } = refund
  context.log.info(
    { merchantId, refundId, isDisputed },
    'A refund waits because of a dispute of its payment, or because of older refunds.',
  )
  return postpone(context, refund, {
    nextCheckAt: nextTimeInMinutes(context, isDisputed ? disputedMinutes : retryMinutes, refund.checks),
    isUnsubmitted: isNeverSubmitted(refund),
  })
}

const disputeLost = {
  code: 'dispute_lost',
  message: 'A lost dispute returned the money of the payment, so too little of the payment is left for this refund.',
}

/**
 * Reports whether the refund was certainly never submitted. This is the case if no submission is recorded and the
 * refund was created on the current database server. No failover or restore can then have lost the record of a
 * submission.
 */
function isCertainlyNew(refund: ClaimedRefund): boolean {
  return isNeverSubmitted(refund) && refund.isSameServer
}

/** Reports whether neither the database nor this process has a record that the refund was submitted to the provider. */
function isNeverSubmitted({ id, submittedBeforeAt }: ClaimedRefund): boolean {
  return submittedBeforeAt === null && !submittedHere.has(id)
}

/**
 * Ids of the refunds that this process submitted. They stay in memory because a failover of the database may lose
 * the claim that records a submission.
 */
const submittedHere = new Set<RefundId>()

function rememberSubmission(id: RefundId): void {
  submittedHere.add(id)
  const [oldest] = submittedHere
  if (oldest !== undefined && submittedHere.size > rememberedMax) submittedHere.delete(oldest)
}

/** `isFirst` is true only if it is certain that the refund was never submitted before. */
async function submit(context: Payer, refund: ClaimedRefund, isFirst: boolean): Promise<void> {
  const { provider, secretKey, clock } = context
  if (clock.nowMs() - toMs(refund.claimedAt) > claimFreshMs) return
  const { transaction, transactionId, amountKobo } = refund
  rememberSubmission(refund.id)
  const outcome = await provider.refund(secretKey, { transaction, transactionId, amountKobo, note: refund.id })
  switch (outcome.is) {
    case 'accepted':
      return recordReport(context, refund, outcome.report)
    case 'refused':
      return isFirst ? fail(context, refund, outcome) : confirmRejection(context, refund, outcome)
    case 'not_submitted':
      // Only a failure of the first submission shows that the refund was not submitted. If a repetition fails, the
      // first submission may have succeeded.
      if (isFirst) submittedHere.delete(refund.id)
      return retryUnsubmitted(context, refund, outcome.reason)
    case 'unknown':
      return retryUnknown(context, refund, outcome.reason)
  }
}

type Rejection = Extract<SubmitOutcome, { is: 'refused' }>

/**
 * Searches for a refund at the provider after a repeated submission of the refund was rejected. An earlier submission
 * may have succeeded, and the provider may have rejected only the repetition.
 */
async function confirmRejection(context: Payer, refund: ClaimedRefund, rejection: Rejection): Promise<void> {
  const found = await search(context, refund)
  switch (found.is) {
    case 'found':
      return recordReport(context, refund, found.report)
    case 'unavailable':
      return retryUnknown(context, refund, found.reason)
    case 'missing':
      return fail(context, refund, rejection)
  }
}

function fail(context: Payer, refund: ClaimedRefund, { code, message }: Rejection): Promise<void> {
  return applyUpdate(context, refund, { status: 'failed', failure: { code, message } })
}

/**
 * Polls a refund that was submitted to the payment provider. If the provider waits for the bank account of the
 * customer, submits this account.
 */
async function poll(context: Payer, refund: ClaimedRefund, reference: string): Promise<void> {
  const { provider, secretKey } = context
  const found = await provider.findRefund(secretKey, reference)
  if (found.is !== 'found') return retryUnknown(context, refund, found.is === 'missing' ? 'missing' : found.reason)
  await compareAmounts(context, refund, found.report)
  const isStopped = found.report.status === 'needs_attention'
  if (isStopped && refund.isLost) return requireManualEnd(context, refund, found.report)
  const { accountNumber, bankCode, destination } = refund
  // The provider pays out the refund as soon as it has the bank account. While the payment is disputed, the bank
  // account is therefore not submitted.
  const needsAccount = refund.status === 'needs_attention' && isStopped && !refund.isDisputed
  if (!needsAccount || destination !== 'bank_account' || accountNumber === null || bankCode === null) {
    return applyUpdate(context, refund, updateOf(found.report))
  }
  // Submitting the bank account twice does no harm: once the refund has left `needs_attention`, the provider rejects a
  // further submission.
  const submitted = await provider.setBankDetails(secretKey, reference, { accountNumber, bankCode })
  switch (submitted.is) {
    case 'accepted':
      return applyUpdate(context, refund, updateOf(submitted.report))
    case 'refused': {
      const failure = { code: submitted.code, message: submitted.message }
      return applyUpdate(context, refund, { failure, isAccountRefused: true })
    }
    case 'not_submitted':
    case 'unknown':
      return retryUnknown(context, refund, submitted.reason)
  }
}

/**
 * Alerts that a refund must be ended manually at the provider: a lost dispute already returned its amount, which must
 * not be refunded again.
 */
async function requireManualEnd(context: Payer, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  const { id: refundId, merchantId, amountKobo, destination } = refund
  const notice = { kind: 'refund.dispute_lost', data: { refundId, amountKobo }, nowMs: context.clock.nowMs() } as const
  await bookkeep(context.database, async (trx) => notifyOfCondition(trx, merchantId, notice))
  const account = destination === 'bank_account' ? { failure: disputeLost, isAccountRefused: true } : {}
  return applyUpdate(context, refund, { ...updateOf(report), ...account })
}

function search({ provider, secretKey }: Payer, refund: ClaimedRefund): Promise<FindOutcome> {
  // The search at the provider starts with the creation time of the refund, or with its first recorded submission if
  // that is earlier.
  const submittedMs = toMs(refund.submittedBeforeAt ?? refund.createdAt)
  const sinceMs = Math.min(toMs(refund.createdAt), submittedMs) - searchMarginMs
  return provider.searchRefund(secretKey, { note: refund.id, since: toTimestamp(sinceMs) })
}

/**
 * Postpones the next check of a refund whose outcome the payment provider has not reported yet. The rest of the refund
 * stays unchanged.
 */
async function retryUnknown(context: Payer, refund: ClaimedRefund, reason: string): Promise<void> {
  const { id: refundId, merchantId } = refund
  context.log.warn(
    { merchantId, refundId, reason },
    'The payment provider has not yet reported the outcome of a refund.',
  )
  await postponeRefund(context.database, refund, nextTimeInMinutes(context, retryMinutes, refund.checks))
}

/** The refund can be cancelled until the next attempt, unless the provider may have received an earlier submission. */
async function retryUnsubmitted(context: PaymentContext, refund: ClaimedRefund, reason: string): Promise<void> {
  const { id: refundId, merchantId } = refund
  context.log.warn({ merchantId, refundId, reason }, 'A refund could not yet be submitted to the payment provider.')
  // Without the merchant's key for the provider, this service cannot determine whether the provider received an earlier
  // submission.
  const isUnsubmitted = isNeverSubmitted(refund) || reason !== 'no_key'
  return postpone(context, refund, {
    nextCheckAt: nextTimeInMinutes(context, retryMinutes, refund.checks),
    isUnsubmitted,
  })
}

/** A refund that was never submitted can be cancelled while it waits. */
function postpone(
  { database }: PaymentContext,
  refund: ClaimedRefund,
  { nextCheckAt, isUnsubmitted }: { readonly nextCheckAt: Timestamp; readonly isUnsubmitted: boolean },
): Promise<void> {
  const isCancellable = refund.reference === null && isUnsubmitted
  return isCancellable
    ? clearRefundSubmission(database, refund, nextCheckAt)
    : postponeRefund(database, refund, nextCheckAt)
}
