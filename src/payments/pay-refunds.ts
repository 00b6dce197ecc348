import type { MerchantId, RefundId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { type RefundUpdate, updateRefund } from '../commerce/refunds/update-refund.ts'
import type { FindOutcome, RefundReport, SubmitOutcome } from '../partners/payments/provider.ts'
import { findMerchant } from '../store/access/merchants.ts'
import { systemActor } from '../store/core/audit.ts'
import { mutate, type Work } from '../store/core/mutation.ts'
import {
  type ClaimedRefund,
  claimRefunds,
  clearRefundSubmission,
  markResubmitted,
  postponeRefund,
  recordRefundNotFound,
} from '../store/refunds/refund-claims.ts'
import { notifyOnce } from './notify.ts'
import { openProviderKey } from './open-key.ts'
import { after, heldMinutes, now, type PayContext, type Payer, payerOf, retryMinutes, waited } from './payer.ts'

/**
 * From a committed refund to the provider's word on it. The row says what is to do; a job only says that it is time.
 *
 *   never submitted, on the server it was created on ── claim notes the submission ── ask, as below
 *   any other ── search by our id first: a failover or a restore may have lost the claim that noted a submission
 *   its payment is disputed, and the provider does not have it ── held, until the dispute is resolved
 *
 *   not asked ── claim notes the asking ── ask ─┬─ accepted ── its reference is noted; looked into until it is settled
 *        ^                                      ├─ refused ─── failed, the money can be refunded again
 *        └────────── not begun, later ──────────┤
 *                                               └─ unknown, or a crash ── search by our id ─┬─ found: as accepted
 *                                                        ^──── not there once, later ───────┤
 *                                                                                           └─ not there twice: ask
 */

const worker = systemActor('pay_refunds')

/** A worker that was frozen between noting and sending must not send: another may have looked meanwhile. */
const freshMs = 30_000

/** Clocks differ, and the provider's list is by its own. */
const searchedBeforeMs = 24 * 3_600_000

/** More than one process submits in a day; a claim lost longer ago than that is found by the search after a restart. */
const submittedMax = 50_000

/** Takes up every refund of a merchant that is due, until none is. */
export async function payRefunds(context: PayContext, merchantId: MerchantId): Promise<number> {
  let count = 0
  while (context.stopping?.aborted !== true) {
    const claimed = await claimRefunds(context.database, merchantId, now(context))
    if (claimed.length === 0) return count
    count += claimed.length
    const key = await openProviderKey(context, merchantId)
    const chosen = payerOf(context, key)
    await Promise.all(
      claimed.map((refund) =>
        // Our own fault, such as a lost database: the claim runs out and the refund is taken up again.
        processRefund(chosen, refund, key?.secretKey).catch((error) =>
          context.log.error({ err: error, refundId: refund.id }, 'A refund was not moved on.'),
        ),
      ),
    )
  }
  return count
}

async function processRefund(context: Payer, refund: ClaimedRefund, secretKey: string | undefined): Promise<void> {
  if (secretKey === undefined) return retryUnsubmitted(context, refund, 'no_key')
  if (refund.reference !== null) return follow(context, refund, secretKey, refund.reference)
  if (isCertainlyNew(refund)) {
    return mustWait(refund) ? holdBack(context, refund) : submit(context, refund, secretKey, true)
  }
  const found = await search(context, refund, secretKey)
  switch (found.is) {
    case 'found':
      return accept(context, refund, found.report)
    case 'unavailable':
      return retryUnknown(context, refund, found.reason)
    case 'missing':
      return submitMissing(context, refund, secretKey)
  }
}

/** Submits what a second search did not find either. */
async function submitMissing(context: Payer, refund: ClaimedRefund, secretKey: string): Promise<void> {
  const { notFoundSince } = refund
  const nowMs = context.clock.nowMs()
  if (notFoundSince === null) await recordRefundNotFound(context.database, refund, toTimestamp(nowMs))
  const settledMs = (notFoundSince === null ? nowMs : toMs(notFoundSince)) + context.settlingMs
  // The second search began after its claim.
  const isAbsent = context.settlingMs === 0 || (notFoundSince !== null && toMs(refund.claimedAt) >= settledMs)
  if (!isAbsent) {
    return putOff(context, refund, { nextCheckAt: toTimestamp(settledMs), isNeverSubmitted: isNeverSubmitted(refund) })
  }
  if (mustWait(refund)) return holdBack(context, refund)
  const claimedAt = now(context)
  // The claim noted the first submission itself.
  const submittedAt = refund.submittedBeforeAt ?? refund.claimedAt
  const isOurs = await markResubmitted(context.database, refund, submittedAt, claimedAt)
  return isOurs ? submit(context, { ...refund, claimedAt }, secretKey, false) : undefined
}

/** Nothing of a disputed payment may go. Of what a lost dispute left, the older refunds come first. */
function mustWait({ isDisputed, isLost, isBehind }: ClaimedRefund): boolean {
  return isDisputed || isLost || isBehind
}

/**
 * The provider does not have it: it waits for the end of the dispute or of older refunds, or fails where a lost dispute took
 * its money.
 */
async function holdBack(context: Payer, refund: ClaimedRefund): Promise<void> {
  const { id: refundId, merchantId } = refund
  if (refund.isLost) {
    context.log.warn({ merchantId, refundId }, 'A lost dispute left too little of a payment for a refund.')
    return move(context, refund, { status: 'failed', failure: disputeLost })
  }
  const { isDisputed } = refund
  context.log.info(
    { merchantId, refundId, isDisputed },
    'A refund is held by a dispute of its payment or by older refunds.',
  )
  return putOff(context, refund, {
    nextCheckAt: after(context, isDisputed ? heldMinutes : retryMinutes, refund.checks),
    isNeverSubmitted: isNeverSubmitted(refund),
  })
}

const disputeLost = {
  code: 'dispute_lost',
  message: 'A lost dispute returned the money of the payment, so that too little is left of it for this refund.',
}

/** Nobody submitted it, by claims of which none can have been lost since it was created. */
function isCertainlyNew(refund: ClaimedRefund): boolean {
  return isNeverSubmitted(refund) && refund.isSameServer
}

/** As far as the database and this process know. */
function isNeverSubmitted({ id, submittedBeforeAt }: ClaimedRefund): boolean {
  return submittedBeforeAt === null && !submittedHere.has(id)
}

/** Refunds this process submitted. Should a failover forget the claim of one, this process still remembers. */
const submittedHere = new Set<RefundId>()

function rememberSubmission(id: RefundId): void {
  submittedHere.add(id)
  const [oldest] = submittedHere
  if (oldest !== undefined && submittedHere.size > submittedMax) submittedHere.delete(oldest)
}

/** `isFirst`: it was certainly never submitted before. */
async function submit(context: Payer, refund: ClaimedRefund, secretKey: string, isFirst: boolean): Promise<void> {
  const { provider, clock } = context
  if (clock.nowMs() - toMs(refund.claimedAt) > freshMs) return
  const { transaction, amountKobo } = refund
  rememberSubmission(refund.id)
  const outcome = await provider.refund(secretKey, { transaction, amountKobo, note: refund.id })
  switch (outcome.is) {
    case 'accepted':
      return accept(context, refund, outcome.report)
    case 'refused':
      return isFirst ? giveUp(context, refund, outcome) : confirmRejection(context, refund, secretKey, outcome)
    case 'not_begun':
      // Of an earlier submission that says nothing.
      if (isFirst) submittedHere.delete(refund.id)
      return retryUnsubmitted(context, refund, outcome.reason)
    case 'unknown':
      return retryUnknown(context, refund, outcome.reason)
  }
}

async function accept(context: Payer, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  await compareAmounts(context, refund, report)
  await move(context, refund, updateOf(report))
}

/** Another amount than the books hold cannot be mended here: a person has to know. */
async function compareAmounts(context: Payer, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  const { id: refundId, merchantId, amountKobo } = refund
  if (report.amountKobo === undefined || report.amountKobo === amountKobo) return
  const data = { refundId, amountKobo, providerAmountKobo: report.amountKobo }
  context.log.error({ merchantId, ...data }, 'A provider refunds another amount than it was asked for.')
  await notifyOnce(context, merchantId, { kind: 'refund.amount_differs', data })
}

type Rejection = Extract<SubmitOutcome, { is: 'refused' }>

/** When it may have been submitted before, the refusal may be of the second submission only. */
async function confirmRejection(
  context: Payer,
  refund: ClaimedRefund,
  secretKey: string,
  refusal: Rejection,
): Promise<void> {
  const found = await search(context, refund, secretKey)
  switch (found.is) {
    case 'found':
      return accept(context, refund, found.report)
    case 'unavailable':
      return retryUnknown(context, refund, found.reason)
    case 'missing':
      return giveUp(context, refund, refusal)
  }
}

function giveUp(context: Payer, refund: ClaimedRefund, { code, message }: Rejection): Promise<void> {
  return move(context, refund, { status: 'failed', failure: { code, message } })
}

/** Finds out what became of a refund the provider has, and tells it the account it waits for. */
async function follow(context: Payer, refund: ClaimedRefund, secretKey: string, reference: string): Promise<void> {
  const found = await context.provider.findRefund(secretKey, reference)
  if (found.is !== 'found') return retryUnknown(context, refund, found.is === 'missing' ? 'missing' : found.reason)
  await compareAmounts(context, refund, found.report)
  const isStopped = found.report.status === 'needs_attention'
  if (isStopped && refund.isLost) return requireManualAction(context, refund, found.report)
  const { accountNumber, bankCode, destination } = refund
  // An account lets the money go, so it waits for the end of a dispute as well.
  const isToTell = refund.status === 'needs_attention' && isStopped && !refund.isDisputed
  if (!isToTell || destination !== 'bank_account' || accountNumber === null || bankCode === null) {
    return move(context, refund, updateOf(found.report))
  }
  // Telling twice does no harm: in any other state the provider refuses it.
  const told = await context.provider.giveAccount(secretKey, reference, { accountNumber, bankCode })
  switch (told.is) {
    case 'accepted':
      return move(context, refund, updateOf(told.report))
    case 'refused': {
      const failure = { code: told.code, message: told.message }
      return move(context, refund, { failure, isAccountRefused: true })
    }
    case 'not_begun':
    case 'unknown':
      return retryUnknown(context, refund, told.reason)
  }
}

/** What a lost dispute returned must not go once more, so only a person can end the refund, at the provider. */
async function requireManualAction(context: Payer, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  const { id: refundId, merchantId, amountKobo, destination } = refund
  await notifyOnce(context, merchantId, { kind: 'refund.dispute_lost', data: { refundId, amountKobo } })
  const account = destination === 'bank_account' ? { failure: disputeLost, isAccountRefused: true } : {}
  return move(context, refund, { ...updateOf(report), ...account })
}

function search({ provider }: Payer, refund: ClaimedRefund, secretKey: string): Promise<FindOutcome> {
  // From the first submission on, which cannot be before the refund was made.
  const submittedMs = toMs(refund.submittedBeforeAt ?? refund.createdAt)
  const sinceMs = Math.min(toMs(refund.createdAt), submittedMs) - searchedBeforeMs
  return provider.searchRefund(secretKey, { note: refund.id, since: toTimestamp(sinceMs) })
}

type Update = Omit<RefundUpdate, 'nextCheckAt' | 'claimedUntil'>

function updateOf(report: RefundReport): Update {
  const { status, reference, expectedAt, reason } = report
  return {
    status,
    reference,
    expectedAt: expectedAt ?? undefined,
    ...(status === 'failed' ? { failure: { code: 'provider_failed', message: reason ?? 'The provider failed.' } } : {}),
  }
}

/** The one place where a worker's news become a change: through mutate(), with its audit row and its event. */
async function move(context: Payer, refund: ClaimedRefund, update: Update): Promise<void> {
  const merchant = await findMerchant(context.database, refund.merchantId)
  if (merchant === undefined) throw new Error(`Merchant ${refund.merchantId} is gone.`)
  const nextCheckAt = waited(context, context.pollMs, refund.checks)
  const mutation = {
    tenant: { merchantId: refund.merchantId, mode: merchant.mode },
    actor: worker,
    action: 'refund.update',
    resourceType: 'refund',
    resourceId: () => refund.id,
    emits: ['order.refunded'],
  } as const
  const moved = await mutate(context, mutation, async (work: Work<'order.refunded'>) => {
    const outcome = await updateRefund(work, refund, { ...update, nextCheckAt, claimedUntil: refund.claimedUntil })
    return outcome.is === 'updated' ? outcome : work.abort(outcome)
  })
  if (moved.is === 'updated') return
  if (moved.is === 'contradicted') {
    const { id: refundId, merchantId } = refund
    context.log.warn({ merchantId, refundId }, 'A provider refunded what was given up here.')
    await notifyOnce(context, merchantId, { kind: 'refund.contradicted', data: { reason: 'contradicted', refundId } })
  }
  // One that succeeded was only looked into because some refund of its payment came back.
  await postponeRefund(context.database, refund, refund.status === 'succeeded' ? null : nextCheckAt)
}

/** What is not sure stays as it is. */
async function retryUnknown(context: Payer, refund: ClaimedRefund, reason: string): Promise<void> {
  context.log.warn({ refundId: refund.id, reason }, 'A refund’s outcome is not known yet.')
  await postponeRefund(context.database, refund, after(context, retryMinutes, refund.checks))
}

/** Nothing was begun, so nothing needs to be looked for: it is asked again, or cancelled by then. */
async function retryUnsubmitted(context: Payer, refund: ClaimedRefund, reason: string): Promise<void> {
  context.log.warn({ refundId: refund.id, reason }, 'A refund could not be asked for yet.')
  // Without a key nobody could look whether an earlier asking was heard.
  const isNeverSubmittedYet = isNeverSubmitted(refund) || reason !== 'no_key'
  return putOff(context, refund, {
    nextCheckAt: after(context, retryMinutes, refund.checks),
    isNeverSubmitted: isNeverSubmittedYet,
  })
}

/** A refund that nobody submitted can be cancelled while it waits. */
function putOff(
  { database }: Payer,
  refund: ClaimedRefund,
  { nextCheckAt, isNeverSubmitted }: { readonly nextCheckAt: Timestamp; readonly isNeverSubmitted: boolean },
): Promise<void> {
  const isUnsubmitted = refund.reference === null && isNeverSubmitted
  return isUnsubmitted
    ? clearRefundSubmission(database, refund, nextCheckAt)
    : postponeRefund(database, refund, nextCheckAt)
}
