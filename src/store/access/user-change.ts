import type { AuditAction } from '../../../registry/values/audit-actions.ts'
import type { SessionId, Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { type Actor, auditEntryOf, insertAudit } from '../core/audit.ts'
import type { WriteTrx } from '../core/database.ts'
import type { Context } from '../core/mutation.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { openTransaction } from '../core/transaction.ts'
import { listMemberships, type Membership } from './members.ts'
import { type LockedUser, lockUser } from './users.ts'

/** The client (address and user agent) from which a request came. */
export interface Source {
  readonly ip: string | null
  readonly requestId: string | null
  readonly userAgent: string | null
}

/** A change of a user's sign-in, such as a new password. */
export interface UserChange {
  readonly userId: UserId
  readonly action: AuditAction
  readonly source: Source
  /** The session that makes the change. Null when the change starts the session, or for a failed sign-in. */
  readonly sessionId: SessionId | null
  /** The actor of the change, if it is not the user. */
  readonly actor?: Actor | undefined
}

export interface UserWork {
  readonly trx: WriteTrx
  readonly user: LockedUser
  readonly memberships: readonly Membership[]
  readonly nowMs: number
  readonly now: Timestamp
  /** Adds changed fields to the audit rows. The values of these fields must not contain personal data. */
  note(changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>): void
  /** Puts the id of a session into the audit rows of the change that created the session, such as a sign-in. */
  startedSession(id: SessionId): void
  /** Rolls back the change of the user, so that nothing is written or audited, and returns the given outcome. */
  abort<Outcome>(outcome: Outcome): Outcome
}

/**
 * Changes a user under a lock. A user belongs to no tenant. Each merchant of which the user is a member must see who
 * can sign in, and how. The transaction therefore writes one audit row for each of these merchants.
 */
export function changeUser<Result>(
  context: Context,
  change: UserChange,
  run: (work: UserWork) => Promise<Result>,
): Promise<Result> {
  return retryConflicts(() => attemptChange(context, change, run))
}

async function attemptChange<Result>(
  { database, clock }: Context,
  change: UserChange,
  run: (work: UserWork) => Promise<Result>,
): Promise<Result> {
  const nowMs = clock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs) }
  const transaction = openTransaction(database)
  const { trx } = transaction
  const done: Done = { changes: {}, sessionId: change.sessionId, isAborted: false }
  let result: Result
  try {
    const user = await lockUser(trx, change.userId)
    const memberships = await listMemberships(trx, { userId: user.id })
    result = await run({
      ...moment,
      trx: transaction.trx,
      user,
      memberships,
      note: (noted) => void Object.assign(done.changes, noted),
      startedSession: (id) => {
        done.sessionId = id
      },
      abort: (outcome) => {
        done.isAborted = true
        transaction.refuseWrites()
        return outcome
      },
    })
    if (!done.isAborted) insertAudits(trx, { change, user, memberships, done, moment })
  } catch (error) {
    throw await transaction.abandon(error)
  }
  await transaction.end(done.isAborted ? 'rollback' : 'commit', Promise.resolve())
  return result
}

interface Done {
  readonly changes: Record<string, readonly [before: unknown, after: unknown]>
  sessionId: SessionId | null
  isAborted: boolean
}

interface Audited {
  readonly change: UserChange
  readonly user: LockedUser
  readonly memberships: readonly Membership[]
  readonly done: Done
  readonly moment: { readonly nowMs: number; readonly now: Timestamp }
}

function insertAudits(trx: WriteTrx, { change, user, memberships, done, moment }: Audited): void {
  const { action, source } = change
  for (const { merchantId, memberId } of memberships) {
    const actor = change.actor ?? memberActor({ memberId, label: user.name, sessionId: done.sessionId }, source)
    const audited = { merchantId, action, resourceType: 'user', resourceId: user.id, changes: done.changes }
    insertAudit(trx, auditEntryOf(actor, audited, moment))
  }
}

export function memberActor(
  member: { readonly memberId: string; readonly label: string; readonly sessionId: SessionId | null },
  { ip, requestId, userAgent }: Source,
): Actor {
  const { memberId, label, sessionId } = member
  return { type: 'member', id: memberId, label, sessionId, sourceIp: ip, requestId, userAgent }
}
