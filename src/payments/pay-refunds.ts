import type { MerchantId, RefundId, Timestamp } from '../../registry/vocabulary.ts'
import { toMs, toTimestamp } from '../clock.ts'
import { type RefundNews, updateRefund } from '../commerce/update-refund.ts'
import { processId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { AskOutcome, FindOutcome, PaymentProvider, RefundReport } from '../partners/payments/provider.ts'
import { systemActor } from '../store/audit.ts'
import { findMerchant } from '../store/merchants.ts'
import { type Context, mutate, type Work } from '../store/mutation.ts'
import {
  type ClaimedRefund,
  claimRefunds,
  markAskedAgain,
  postponeRefund,
  unaskRefund,
} from '../store/refund-claims.ts'
import type { Vault } from '../vault.ts'
import { notifyOnce } from './notify.ts'
import { openProviderKey, providerOf, type TestPayments } from './open-key.ts'

/**
 * From a committed refund to the provider's word on it. The row says what is to do; a job only says that it is time.
 *
 *   created by this process, never submitted ── claim notes the submission ── ask, as below
 *   any other ── search by our id first: a failover or a restore may have lost the claim that noted a submission
 *   its payment is disputed, and the provider does not have it ── held, until the dispute is resolved
 *
 *   not asked ── claim notes the asking ── ask ─┬─ accepted ── its reference is noted; looked into until it is settled
 *        ^                                      ├─ refused ─── failed, the money can be refunded again
 *        └────────── not begun, later ──────────┤
 *                                               └─ unknown, or a crash ── search by our id ─┬─ found: as accepted
 *                                                        ^──── not there yet, later ────────┤
 *                                                                                           └─ not there for good: ask
 */

export interface PayContext extends Context {
  readonly log: Log
  readonly vault: Vault
  readonly provider: PaymentProvider
  /** Undefined where no provider is simulated: then refunds of test mode wait. */
  readonly testPayments?: TestPayments | undefined
  /** No further claim once it has aborted. */
  readonly stopping?: AbortSignal
}

const worker = systemActor('pay_refunds')

const minuteMs = 60_000

/** Waits while nothing is sure or nothing could be sent: soon at first, then as often as a day has quarters. */
const retryMinutes = [1, 5, 15, 60, 360] as const

/** Waits while the provider works on it. Callbacks come first; this is for one that was lost. */
const pollMinutes = [60, 360] as const

/** Waits while its payment is disputed. The end of the dispute comes first; this is for one that was overlooked. */
const heldMinutes = [360] as const

/**
 * A request that was sent is answered or dead long before this, and by then the provider lists what it took from it. Only
 * then does not being there mean that it never was.
 */
const settlingMs = 10 * minuteMs

/** A worker that was frozen between noting and sending must not send: another may have looked meanwhile. */
const freshMs = 30_000

/** Clocks differ, and the provider's list is by its own. */
const searchedBeforeMs = 24 * 60 * minuteMs

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
    const chosen = key === undefined ? context : { ...context, provider: providerOf(context, key) }
    await Promise.all(
      claimed.map((refund) =>
        // Our own fault, such as a lost database: the claim runs out and the refund is taken up again.
        takeUp(chosen, refund, key?.secretKey).catch((error) =>
          context.log.error({ err: error, refundId: refund.id }, 'A refund was not moved on.'),
        ),
      ),
    )
  }
  return count
}

async function takeUp(context: PayContext, refund: ClaimedRefund, secretKey: string | undefined): Promise<void> {
  if (secretKey === undefined) return keepForLater(context, refund, 'no_key')
  if (refund.reference !== null) return follow(context, refund, secretKey, refund.reference)
  if (isCertainlyNew(refund)) {
    return isObstructed(refund) ? obstruct(context, refund) : ask(context, refund, secretKey)
  }
  const found = await search(context, refund, secretKey)
  switch (found.is) {
    case 'found':
      return accept(context, refund, found.report)
    case 'unavailable':
      return later(context, refund, found.reason)
    case 'missing': {
      const askedMs = refund.askedBeforeAt === null ? Number.NEGATIVE_INFINITY : toMs(refund.askedBeforeAt)
      if (context.clock.nowMs() - askedMs < settlingMs) {
        return postponeRefund(context.database, refund, toTimestamp(askedMs + settlingMs))
      }
      if (isObstructed(refund)) return obstruct(context, refund)
      const claimedAt = now(context)
      // The claim noted the first submission itself.
      const notedAt = refund.askedBeforeAt ?? refund.claimedAt
      const isOurs = await markAskedAgain(context.database, refund, notedAt, claimedAt)
      return isOurs ? ask(context, { ...refund, claimedAt }, secretKey) : undefined
    }
  }
}

/** Nothing of a disputed payment may go, and what a lost dispute returned never goes again. */
function isObstructed({ isDisputed, isLost }: ClaimedRefund): boolean {
  return isDisputed || isLost
}

/** The provider does not have it: it waits for the end of the dispute, or is given up where a lost one took its money. */
async function obstruct(context: PayContext, refund: ClaimedRefund): Promise<void> {
  const { id: refundId, merchantId } = refund
  if (refund.isLost) {
    context.log.warn({ merchantId, refundId }, 'A lost dispute left too little of a payment for a refund.')
    return move(context, refund, { status: 'failed', failure: disputeLost })
  }
  context.log.info({ merchantId, refundId }, 'A refund is held while its payment is disputed.')
  return putOff(context, refund, {
    nextLookAt: after(context, heldMinutes, refund.looks),
    isNeverAsked: refund.askedBeforeAt === null,
  })
}

const disputeLost = {
  code: 'dispute_lost',
  message: 'A lost dispute returned the money of the payment, so that too little is left of it for this refund.',
}

/** Only the process that created a refund knows, without asking the provider, that nobody submitted it yet. */
function isCertainlyNew({ id, createdProcess, askedBeforeAt }: ClaimedRefund): boolean {
  return askedBeforeAt === null && createdProcess === processId && !submittedHere.has(id)
}

/** Refunds this process submitted. Should a failover forget the claim of one, this process still remembers. */
const submittedHere = new Set<RefundId>()

function rememberSubmission(id: RefundId): void {
  submittedHere.add(id)
  const [oldest] = submittedHere
  if (oldest !== undefined && submittedHere.size > submittedMax) submittedHere.delete(oldest)
}

async function ask(context: PayContext, refund: ClaimedRefund, secretKey: string): Promise<void> {
  const { provider, clock } = context
  if (clock.nowMs() - toMs(refund.claimedAt) > freshMs) return
  const { transaction, amountKobo } = refund
  rememberSubmission(refund.id)
  const outcome = await provider.refund(secretKey, { transaction, amountKobo, note: refund.id })
  switch (outcome.is) {
    case 'accepted':
      return accept(context, refund, outcome.report)
    case 'refused':
      return refuse(context, refund, secretKey, outcome)
    case 'not_begun':
      submittedHere.delete(refund.id)
      return keepForLater(context, refund, outcome.reason)
    case 'unknown':
      return later(context, refund, outcome.reason)
  }
}

async function accept(context: PayContext, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  await compareAmounts(context, refund, report)
  await move(context, refund, newsOf(report))
}

/** Another amount than the books hold cannot be mended here: a person has to know. */
async function compareAmounts(context: PayContext, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  const { id: refundId, merchantId, amountKobo } = refund
  if (report.amountKobo === undefined || report.amountKobo === amountKobo) return
  const data = { refundId, amountKobo, providerAmountKobo: report.amountKobo }
  context.log.error({ merchantId, ...data }, 'A provider refunds another amount than it was asked for.')
  await notifyOnce(context, merchantId, { kind: 'refund.amount_differs', data })
}

/** When it may have been submitted before, the refusal may be of the second submission only. */
async function refuse(
  context: PayContext,
  refund: ClaimedRefund,
  secretKey: string,
  { code, message }: Extract<AskOutcome, { is: 'refused' }>,
): Promise<void> {
  if (refund.askedBeforeAt !== null || refund.createdProcess !== processId) {
    const found = await search(context, refund, secretKey)
    if (found.is === 'found') return accept(context, refund, found.report)
    if (found.is === 'unavailable') return later(context, refund, found.reason)
  }
  await move(context, refund, { status: 'failed', failure: { code, message } })
}

/** Finds out what became of a refund the provider has, and tells it the account it waits for. */
async function follow(context: PayContext, refund: ClaimedRefund, secretKey: string, reference: string): Promise<void> {
  const found = await context.provider.findRefund(secretKey, reference)
  if (found.is !== 'found') return later(context, refund, found.is === 'missing' ? 'missing' : found.reason)
  await compareAmounts(context, refund, found.report)
  const { accountNumber, bankCode, destination } = refund
  // An account lets the money go, so it waits for the end of a dispute as well.
  const isToTell =
    refund.status === 'needs_attention' && found.report.status === 'needs_attention' && !isObstructed(refund)
  if (!isToTell || destination !== 'bank_account' || accountNumber === null || bankCode === null) {
    return move(context, refund, newsOf(found.report))
  }
  // Telling twice does no harm: in any other state the provider refuses it.
  const told = await context.provider.giveAccount(secretKey, reference, { accountNumber, bankCode })
  switch (told.is) {
    case 'accepted':
      return move(context, refund, newsOf(told.report))
    case 'refused': {
      const failure = { code: told.code, message: told.message }
      return move(context, refund, { failure, isAccountRefused: true })
    }
    case 'not_begun':
    case 'unknown':
      return later(context, refund, told.reason)
  }
}

function search({ provider }: PayContext, refund: ClaimedRefund, secretKey: string): Promise<FindOutcome> {
  // From the first submission on, which cannot be before the refund was made.
  const askedMs = toMs(refund.askedBeforeAt ?? refund.createdAt)
  const sinceMs = Math.min(toMs(refund.createdAt), askedMs) - searchedBeforeMs
  return provider.searchRefund(secretKey, { note: refund.id, since: toTimestamp(sinceMs) })
}

type News = Omit<RefundNews, 'nextLookAt' | 'claimedUntil'>

function newsOf(report: RefundReport): News {
  const { status, reference, expectedAt, reason } = report
  return {
    status,
    reference,
    expectedAt: expectedAt ?? undefined,
    ...(status === 'failed' ? { failure: { code: 'provider_failed', message: reason ?? 'The provider failed.' } } : {}),
  }
}

/** The one place where a worker's news become a change: through mutate(), with its audit row and its event. */
async function move(context: PayContext, refund: ClaimedRefund, news: News): Promise<void> {
  const merchant = await findMerchant(context.database, refund.merchantId)
  if (merchant === undefined) throw new Error(`Merchant ${refund.merchantId} is gone.`)
  const nextLookAt = after(context, pollMinutes, refund.looks)
  const mutation = {
    tenant: { merchantId: refund.merchantId, mode: merchant.mode },
    actor: worker,
    action: 'refund.update',
    resourceType: 'refund',
    resourceId: () => refund.id,
    emits: ['order.refunded'],
  } as const
  const moved = await mutate(context, mutation, async (work: Work<'order.refunded'>) => {
    const outcome = await updateRefund(work, refund, { ...news, nextLookAt, claimedUntil: refund.claimedUntil })
    return outcome.is === 'updated' ? outcome : work.abort(outcome)
  })
  if (moved.is === 'updated') return
  if (moved.is === 'contradicted') {
    const { id: refundId, merchantId } = refund
    context.log.warn({ merchantId, refundId }, 'A provider refunded what was given up here.')
    await notifyOnce(context, merchantId, { kind: 'refund.contradicted', data: { reason: 'contradicted', refundId } })
  }
  // One that succeeded was only looked into because some refund of its payment came back.
  await postponeRefund(context.database, refund, refund.status === 'succeeded' ? null : nextLookAt)
}

/** What is not sure stays as it is. */
async function later(context: PayContext, refund: ClaimedRefund, reason: string): Promise<void> {
  context.log.warn({ refundId: refund.id, reason }, 'A refund’s outcome is not known yet.')
  await postponeRefund(context.database, refund, after(context, retryMinutes, refund.looks))
}

/** Nothing was begun, so nothing needs to be looked for: it is asked again, or cancelled by then. */
async function keepForLater(context: PayContext, refund: ClaimedRefund, reason: string): Promise<void> {
  context.log.warn({ refundId: refund.id, reason }, 'A refund could not be asked for yet.')
  // Without a key nobody could look whether an earlier asking was heard.
  const isNeverAsked = refund.askedBeforeAt === null || reason !== 'no_key'
  return putOff(context, refund, { nextLookAt: after(context, retryMinutes, refund.looks), isNeverAsked })
}

/** A refund that nobody submitted can be cancelled while it waits. */
function putOff(
  { database }: PayContext,
  refund: ClaimedRefund,
  { nextLookAt, isNeverAsked }: { readonly nextLookAt: Timestamp; readonly isNeverAsked: boolean },
): Promise<void> {
  const isUnasked = refund.reference === null && isNeverAsked
  return isUnasked ? unaskRefund(database, refund, nextLookAt) : postponeRefund(database, refund, nextLookAt)
}

function after(context: PayContext, minutes: readonly number[], looks: number): Timestamp {
  const wait = minutes[Math.min(looks, minutes.length) - 1] ?? minutes[0] ?? 1
  return toTimestamp(context.clock.nowMs() + wait * minuteMs)
}

function now({ clock }: PayContext): Timestamp {
  return toTimestamp(clock.nowMs())
}
