import { markSessionAuthenticated } from '../../store/access/sessions.ts'
import { changeUser } from '../../store/access/user-change.ts'
import { auditFailures } from './audit-failures.ts'
import { type Counter, reserveAttempt, sessionCounters, settleAttempt } from './back-off.ts'
import { checkPassword } from './check-password.ts'
import type { BackedOff, Busy, MembersContext, SignedIn } from './context.ts'
import { takeCode } from './take-code.ts'

/** Proof of who the user is: the password, a code of the authenticator app, or a backup code. */
export type Proof = { readonly password: string } | { readonly code: string }

export type ReauthenticateOutcome =
  | { readonly is: 'reauthenticated' }
  | { readonly is: 'wrong_password' }
  | { readonly is: 'wrong_code' }
  | { readonly is: 'session_ended' }
  | BackedOff
  | Busy

/**
 * Authenticates a session's user again. For ten minutes, the session can then show secrets and change how the user
 * signs in.
 */
export async function reauthenticate(
  context: MembersContext,
  signedIn: SignedIn,
  proof: Proof,
): Promise<ReauthenticateOutcome> {
  if (signedIn.session.stage !== 'complete') return { is: 'session_ended' }
  if ('code' in proof) return withCode(context, signedIn, proof.code)
  const checked = await checkPassword(context, signedIn, proof.password)
  if (checked.is !== 'right') return checked
  return changeUser<ReauthenticateOutcome>(context, changeOf(signedIn), async ({ trx, user, now, note, abort }) => {
    if (user.passwordHash !== checked.passwordHash) return abort({ is: 'wrong_password' })
    settleAttempt(trx, checked.counters)
    markSessionAuthenticated(trx, { id: signedIn.session.id, now })
    note({ method: [null, 'password'] })
    return { is: 'reauthenticated' }
  })
}

async function withCode(context: MembersContext, signedIn: SignedIn, code: string): Promise<ReauthenticateOutcome> {
  const { session, source } = signedIn
  const counters = sessionCounters(session.id)
  const reserved = await reserveAttempt(context, counters)
  if (reserved.is === 'backed_off') return reserved
  const outcome = await verifyCode(context, signedIn, { code, counters })
  if (outcome.is === 'wrong_code') {
    const { userId, id: sessionId } = session
    await auditFailures(context, { userId, sessionId, source, failures: reserved.failures })
  }
  return outcome
}

function verifyCode(
  context: MembersContext,
  signedIn: SignedIn,
  { code, counters }: { readonly code: string; readonly counters: readonly Counter[] },
): Promise<ReauthenticateOutcome> {
  return changeUser<ReauthenticateOutcome>(context, changeOf(signedIn), async (work) => {
    const { trx, now, note, abort } = work
    const method = await takeCode(context, work, code)
    if (method === undefined) return abort({ is: 'wrong_code' })
    settleAttempt(trx, counters)
    markSessionAuthenticated(trx, { id: signedIn.session.id, now })
    note({ method: [null, method] })
    return { is: 'reauthenticated' }
  })
}

function changeOf({ session, source }: SignedIn) {
  return { userId: session.userId, action: 'user.reauthenticate' as const, source, sessionId: session.id }
}
