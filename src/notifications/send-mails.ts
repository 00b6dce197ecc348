import { type Clock, toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Mailer, SendOutcome } from '../outbound/mail/mailer.ts'
import type { Database } from '../store/core/database.ts'
import { type ClaimedMail, openMailClaims, planMails, recordMail } from '../store/notifications/mails.ts'
import { mailRules } from './mail-rules.ts'
import { mailOf } from './mail-text.ts'

export interface MailContext {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Undefined if sending e-mails is not configured. */
  readonly mailer: Mailer | undefined
  /** Origin (base URL) of the links in e-mails; undefined if none is configured. */
  readonly publicUrl: string | undefined
  /** When this signal is aborted, the current run of the mailer ends before the next e-mail. */
  readonly stopping?: AbortSignal | undefined
}

/**
 * Delays in minutes before the retries of an e-mail. An e-mail server that is down overnight still delivers it the next
 * day.
 */
export const mailRetryDelaysMinutes = [1, 5, 30, 2 * 60, 12 * 60] as const

/** Maximum number of concurrent SMTP connections of a process. Small SMTP servers allow few. */
const connections = 2

const minuteMs = 60_000

/**
 * Plans the e-mails of new notifications and sends all that are due. An e-mail is sent twice, with the same Message-ID,
 * only if the process crashes between sending and recording it. Returns the number of e-mails sent.
 */
export async function sendMails(context: MailContext): Promise<number> {
  const { database, clock, mailer } = context
  const now = () => toTimestamp(clock.nowMs())
  await planMails(database, { ...mailRules, now, isSending: mailer !== undefined })
  if (mailer === undefined) return 0
  const claims = openMailClaims(database, mailRules)
  const claim = async () => (await claims({ now: now(), limit: 1 }))[0]
  const sent = await Promise.all(Array.from({ length: connections }, () => sendUntilDone(context, mailer, claim)))
  return sent.reduce((total, count) => total + count, 0)
}

/**
 * Sends the due e-mails, one after another. Stops when no e-mail is due or the mail server is down, because further
 * e-mails would fail too.
 */
async function sendUntilDone(
  context: MailContext,
  mailer: Mailer,
  claim: () => Promise<ClaimedMail | undefined>,
): Promise<number> {
  const { stopping } = context
  let sent = 0
  while (stopping?.aborted !== true) {
    const claimed = await claim()
    if (claimed === undefined) break
    const outcome = await sendClaimed(context, mailer, claimed)
    if (outcome.is === 'sent') sent += 1
    if (outcome.is === 'failed' && outcome.isServerDown) break
  }
  return sent
}

type ClaimedOutcome = SendOutcome | { readonly is: 'skipped' }

async function sendClaimed(context: MailContext, mailer: Mailer, claimed: ClaimedMail): Promise<ClaimedOutcome> {
  const { database, clock, log } = context
  const outcome: ClaimedOutcome = await outcomeOf(context, mailer, claimed)
  const nowMs = clock.nowMs()
  const { merchantId, notificationId, memberId, attempts } = claimed
  const { status, retryMs } = resultOf(outcome, attempts)
  const reason = 'reason' in outcome ? outcome.reason : null
  if (reason !== null)
    log.warn(
      { merchantId, notificationId, memberId, attempts, status, reason },
      'A notification was not sent by e-mail.',
    )
  await recordMail(database, {
    ...{ merchantId, notificationId, memberId, attempts, status, error: reason },
    nextAttemptAt: retryMs === null ? null : toTimestamp(nowMs + retryMs),
    now: toTimestamp(nowMs),
  })
  return outcome
}

async function outcomeOf({ publicUrl }: MailContext, mailer: Mailer, claimed: ClaimedMail): Promise<ClaimedOutcome> {
  if (!claimed.isWanted) return { is: 'skipped' }
  // No earlier attempt to send the e-mail has stored a result, because the worker of each attempt crashed.
  if (claimed.attempts > mailRetryDelaysMinutes.length + 1)
    return { is: 'rejected', reason: 'no result of the last attempt to send the e-mail' }
  return mailer.send(mailOf(claimed, publicUrl))
}

function resultOf(outcome: ClaimedOutcome, attempts: number) {
  switch (outcome.is) {
    case 'sent':
    case 'skipped':
      return { status: outcome.is, retryMs: null }
    case 'rejected':
      return { status: 'failed', retryMs: null } as const
    case 'failed': {
      const delayMinutes = mailRetryDelaysMinutes[attempts - 1]
      if (delayMinutes === undefined) return { status: 'failed', retryMs: null } as const
      return { status: 'pending', retryMs: delayMinutes * minuteMs } as const
    }
  }
}
