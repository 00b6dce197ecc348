import { VaultError } from '../../base/vault.ts'
import { changeUser } from '../../store/access/user-change.ts'
import { clearTotp, enableTotp, setBackupCodes, setPendingTotp } from '../../store/access/users.ts'
import { reserveAttempt, sessionCounters, settleAttempt } from './back-off.ts'
import { newBackupCodes } from './backup-codes.ts'
import type { BackedOff, MembersContext, ReauthenticationRequired, SignedIn } from './context.ts'
import { mayChangeSignIn } from './recent-authentication.ts'
import { newTotpSecret, openTotp, sealTotp, totpStepOf, totpUriOf } from './totp.ts'

/** Name of the service, which authenticator apps show. */
const issuer = 'Commerce Service'

export type StartTotpOutcome =
  /** The TOTP secret in base32, and its URI for a QR code. The member sees both only when the enrolment starts. */
  | { readonly is: 'started'; readonly secret: string; readonly uri: string }
  | { readonly is: 'already_enabled' }
  | { readonly is: 'encryption_key_missing' }
  | ReauthenticationRequired

/** The sign-in requires the authenticator app only after confirmTotp(). */
export async function startTotpEnrolment(
  context: MembersContext,
  { session, source }: SignedIn,
): Promise<StartTotpOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const { userId } = session
  const secret = newTotpSecret()
  const sealed = trySeal(context, userId, secret)
  if (sealed === undefined) return { is: 'encryption_key_missing' }
  const change = { userId, action: 'user.totp_start' as const, source, sessionId: session.id }
  return changeUser<StartTotpOutcome>(context, change, async ({ trx, user, now, abort }) => {
    if (user.totpSealed !== null) return abort({ is: 'already_enabled' })
    setPendingTotp(trx, { id: userId, sealed, now })
    return { is: 'started', secret, uri: totpUriOf(secret, { label: user.email, issuer }) }
  })
}

function trySeal({ vault }: MembersContext, userId: SignedIn['session']['userId'], secret: string): Buffer | undefined {
  try {
    return sealTotp(vault, userId, secret)
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}

export type ConfirmTotpOutcome =
  | { readonly is: 'enabled'; readonly backupCodes: readonly string[] }
  | { readonly is: 'wrong_code' }
  /** No enrolment is in progress: start again. */
  | { readonly is: 'not_started' }
  | ReauthenticationRequired
  | BackedOff

/** Enables TOTP with a first code, which proves that the app has the secret. Returns the backup codes. */
export async function confirmTotp(
  context: MembersContext,
  { session, source }: SignedIn,
  code: string,
): Promise<ConfirmTotpOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const { userId } = session
  const counters = sessionCounters(session.id)
  const reserved = await reserveAttempt(context, counters)
  if (reserved.is === 'backed_off') return reserved
  const change = { userId, action: 'user.totp_enable' as const, source, sessionId: session.id }
  return changeUser<ConfirmTotpOutcome>(context, change, async ({ trx, user, nowMs, now, note, abort }) => {
    if (user.totpPendingSealed === null || user.totpSealed !== null) return abort({ is: 'not_started' })
    const step = totpStepOf(openTotp(context.vault, userId, user.totpPendingSealed), code, nowMs)
    if (step === undefined) return abort({ is: 'wrong_code' })
    settleAttempt(trx, counters)
    enableTotp(trx, { id: userId, step, now })
    const { codes, hashes } = newBackupCodes()
    setBackupCodes(trx, { id: userId, hashes, now })
    note({ totp: [false, true], backupCodes: [0, codes.length] })
    return { is: 'enabled', backupCodes: codes }
  })
}

export type RemoveTotpOutcome = { readonly is: 'removed' } | { readonly is: 'not_enabled' } | ReauthenticationRequired

/** Disables TOTP. */
export async function removeTotp(context: MembersContext, { session, source }: SignedIn): Promise<RemoveTotpOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const { userId } = session
  const change = { userId, action: 'user.totp_disable' as const, source, sessionId: session.id }
  return changeUser<RemoveTotpOutcome>(context, change, async ({ trx, user, now, note, abort }) => {
    if (user.totpSealed === null) return abort({ is: 'not_enabled' })
    clearTotp(trx, { id: userId, now })
    note({ totp: [true, false] })
    return { is: 'removed' }
  })
}
