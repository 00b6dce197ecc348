import type { UserId } from '../../../registry/values/vocabulary.ts'
import { deleteKnownDevices } from '../../store/access/known-devices.ts'
import { deletePasskeys } from '../../store/access/passkeys.ts'
import { revokeSessions } from '../../store/access/sessions.ts'
import { deleteUnusedLinks } from '../../store/access/sign-in-links.ts'
import { changeUser, type UserWork } from '../../store/access/user-change.ts'
import { clearTotp, setPasswordHash } from '../../store/access/users.ts'
import { settleAttempt } from './back-off.ts'
import { type CheckedPassword, checkPassword, type UncheckedPassword } from './check-password.ts'
import type { Busy, MembersContext, SignedIn } from './context.ts'
import { hashPassword, type PasswordProblem, passwordProblemOf } from './password.ts'
import { busyRetryMs } from './sign-in-with-password.ts'
import { completeSession, type Granted, rememberDevice } from './start-session.ts'

export interface NewPassword {
  readonly password: string
  /**
   * The current password, as the user entered it. Null while the session is in the stage `setup_required`, which a
   * sign-in link started.
   */
  readonly currentPassword: string | null
  readonly deviceToken: string | null
}

export interface WeakPassword {
  readonly is: 'weak_password'
  readonly problem: PasswordProblem
}

export type SetPasswordOutcome =
  /** The password was set. All other sessions of the user are revoked, and this session has a new token. */
  ({ readonly is: 'set' } & Granted) | WeakPassword | { readonly is: 'session_ended' } | UncheckedPassword | Busy

/**
 * Sets the password of the session's user, and revokes the user's other sessions. If a sign-in link started the
 * session, the session now gives access to the dashboard. In this case, the TOTP secret, the passkeys and the known
 * devices are removed, because another person may have them.
 */
export async function setPassword(
  context: MembersContext,
  signedIn: SignedIn,
  { password, currentPassword, deviceToken }: NewPassword,
): Promise<SetPasswordOutcome> {
  const { session, source } = signedIn
  const isSetup = session.stage === 'setup_required'
  if (!isSetup && session.stage !== 'complete') return { is: 'session_ended' }
  const problem = passwordProblemOf(password, session.email)
  if (problem !== undefined) return { is: 'weak_password', problem }
  const checked = isSetup ? undefined : await checkPassword(context, signedIn, currentPassword ?? '')
  if (checked !== undefined && checked.is !== 'right') return checked
  const passwordHash = await hashPassword(password)
  if (passwordHash === undefined) return { is: 'busy', retryAfterMs: busyRetryMs }
  const change = { userId: session.userId, action: 'user.password_change' as const, source, sessionId: session.id }
  return changeUser<SetPasswordOutcome>(context, change, async (work) => {
    const { trx, user, now, note, abort } = work
    if (checked !== undefined && !isUnchanged(work, checked)) return abort({ is: 'wrong_password' })
    const sessionToken = await completeSession(work, session)
    if (sessionToken === undefined) return abort({ is: 'session_ended' })
    setPasswordHash(trx, { id: user.id, passwordHash, now })
    if (isSetup) removeFactors(work, user.id)
    deleteUnusedLinks(trx, { userId: user.id })
    const revoked = await revokeSessions(trx, { userId: user.id, except: session.id, now })
    note({ password: ['[redacted]', '[redacted]'], revokedSessions: [null, revoked] })
    return { is: 'set', sessionToken, deviceToken: await rememberDevice(work, isSetup ? null : deviceToken) }
  })
}

/**
 * Reports whether the user's password is still the one that this request verified. A concurrent request may have
 * changed it since.
 */
function isUnchanged({ trx, user }: UserWork, { passwordHash, counters }: CheckedPassword): boolean {
  settleAttempt(trx, counters)
  return user.passwordHash === passwordHash
}

function removeFactors({ trx, user, now, note }: UserWork, userId: UserId): void {
  clearTotp(trx, { id: userId, now })
  deletePasskeys(trx, userId)
  deleteKnownDevices(trx, { userId })
  note({ totp: [user.totpSealed !== null, false] })
}
