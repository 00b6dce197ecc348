import { findPasswordHash } from '../../store/access/users.ts'
import { auditFailures } from './audit-failures.ts'
import { type Counter, cancelAttempt, reserveAttempt, sessionCounters } from './back-off.ts'
import type { BackedOff, Busy, MembersContext, SignedIn } from './context.ts'
import { verifyPassword } from './password.ts'
import { busyRetryMs } from './sign-in-with-password.ts'

/**
 * The current password that the user entered is right. The caller records the success in its own transaction, with
 * settleAttempt().
 */
export interface CheckedPassword {
  readonly is: 'right'
  readonly passwordHash: string
  readonly counters: readonly Counter[]
}

export type UncheckedPassword = { readonly is: 'wrong_password' } | BackedOff | Busy

/** Failures delay retries, so that a stolen session cannot be used to guess the password. */
export async function checkPassword(
  context: MembersContext,
  { session, source }: SignedIn,
  password: string,
): Promise<CheckedPassword | UncheckedPassword> {
  const counters = sessionCounters(session.id)
  const reserved = await reserveAttempt(context, counters)
  if (reserved.is === 'backed_off') return reserved
  const passwordHash = await findPasswordHash(context.database, session.userId)
  switch (await verifyPassword(password, passwordHash)) {
    case 'busy':
      await cancelAttempt(context, counters)
      return { is: 'busy', retryAfterMs: busyRetryMs }
    case 'wrong': {
      const { userId, id: sessionId } = session
      await auditFailures(context, { userId, sessionId, source, failures: reserved.failures })
      return { is: 'wrong_password' }
    }
    case 'right':
      return passwordHash === null ? { is: 'wrong_password' } : { is: 'right', passwordHash, counters }
  }
}
