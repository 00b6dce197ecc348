import { changeUser } from '../../store/access/user-change.ts'
import { auditFailures } from './audit-failures.ts'
import { passwordCounters, reserveAttempt, settleAttempt, totpCounters } from './back-off.ts'
import type { BackedOff, MembersContext, SignedIn } from './context.ts'
import { attackerOf } from './sign-in-with-password.ts'
import { completeSession, type Granted, rememberDevice } from './start-session.ts'
import { takeCode } from './take-code.ts'

export type VerifyTotpOutcome =
  | ({ readonly is: 'signed_in' } & Granted)
  | { readonly is: 'wrong_code' }
  /** The session has ended, or it does not require a TOTP code. The user must sign in again. */
  | { readonly is: 'session_ended' }
  | BackedOff

/** Completes a sign-in with the code of an authenticator app or a backup code. Each code is accepted only once. */
export async function verifyTotp(
  context: MembersContext,
  { session, source }: SignedIn,
  { code, deviceToken }: { readonly code: string; readonly deviceToken: string | null },
): Promise<VerifyTotpOutcome> {
  if (session.stage !== 'totp_required') return { is: 'session_ended' }
  const { userId } = session
  const attacker = await attackerOf(context, { userId, deviceToken, source })
  const counters = totpCounters(userId, attacker)
  const reserved = await reserveAttempt(context, counters)
  if (reserved.is === 'backed_off') return reserved
  const change = { userId, action: 'user.sign_in' as const, source, sessionId: session.id }
  const outcome = await changeUser<VerifyTotpOutcome>(context, change, async (work) => {
    const { trx, user, note, abort } = work
    if (user.totpSealed === null) return abort({ is: 'session_ended' })
    if ((await takeCode(context, work, code)) === undefined) return abort({ is: 'wrong_code' })
    const sessionToken = await completeSession(work, session)
    if (sessionToken === undefined) return abort({ is: 'session_ended' })
    settleAttempt(trx, [...counters, ...passwordCounters(user.email, attacker)])
    note({ stage: ['totp_required', 'complete'] })
    return { is: 'signed_in', sessionToken, deviceToken: await rememberDevice(work, deviceToken) }
  })
  if (outcome.is === 'wrong_code') {
    await auditFailures(context, { userId, sessionId: session.id, source, failures: reserved.failures })
  }
  return outcome
}
