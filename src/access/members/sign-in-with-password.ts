import type { UserId } from '../../../registry/values/vocabulary.ts'
import { isKnownDevice } from '../../store/access/known-devices.ts'
import { changeUser, type Source } from '../../store/access/user-change.ts'
import { findUserToSignIn } from '../../store/access/users.ts'
import { hashToken } from '../token-format.ts'
import { auditFailures } from './audit-failures.ts'
import {
  type Attacker,
  type Counter,
  cancelAttempt,
  passwordCounters,
  reserveAttempt,
  settleAttempt,
} from './back-off.ts'
import type { BackedOff, Busy, MembersContext } from './context.ts'
import { verifyPassword } from './password.ts'
import { sourceNetworkOf } from './source-network.ts'
import { type Granted, rememberDevice, startSession } from './start-session.ts'

export interface PasswordSignIn {
  readonly email: string
  readonly password: string
  /** The device token that an earlier sign-in stored in the browser. */
  readonly deviceToken: string | null
  readonly source: Source
}

export type SignInOutcome =
  | ({ readonly is: 'signed_in' } & Granted)
  /** The password is right. The session has access after verifyTotp(). */
  | { readonly is: 'totp_required'; readonly sessionToken: string }
  | { readonly is: 'wrong_credentials' }
  | BackedOff
  | Busy

/**
 * Milliseconds after which a client may retry when the queue of passwords to verify is full. The queue empties within
 * seconds.
 */
export const busyRetryMs = 2_000

/** Maximum length of a deliverable e-mail address (RFC 5321). */
const emailMaxLength = 254

/**
 * The response to an unknown e-mail address takes as long as the response to a wrong password, so that the time does
 * not show which addresses exist.
 */
export async function signInWithPassword(context: MembersContext, attempt: PasswordSignIn): Promise<SignInOutcome> {
  const email = attempt.email.trim().toLowerCase()
  if (email.length > emailMaxLength) return { is: 'wrong_credentials' }
  const deviceHash = attempt.deviceToken === null ? null : hashToken(attempt.deviceToken)
  const user = await findUserToSignIn(context.database, { email, deviceHash })
  const knownDevice = user?.knowsDevice === true && deviceHash !== null ? deviceHash : undefined
  const counters = passwordCounters(email, { network: sourceNetworkOf(attempt.source.ip), knownDevice })
  const reserved = await reserveAttempt(context, counters)
  if (reserved.is === 'backed_off') return reserved
  const passwordHash = user?.passwordHash ?? null
  switch (await verifyPassword(attempt.password, passwordHash)) {
    case 'busy':
      await cancelAttempt(context, counters)
      return { is: 'busy', retryAfterMs: busyRetryMs }
    case 'wrong': {
      const { source } = attempt
      if (user !== undefined) {
        await auditFailures(context, { userId: user.id, sessionId: null, source, failures: reserved.failures })
      }
      return { is: 'wrong_credentials' }
    }
    case 'right':
      if (user === undefined || passwordHash === null) return { is: 'wrong_credentials' }
      return startVerified(context, attempt, { userId: user.id, passwordHash, counters })
  }
}

interface Verified {
  readonly userId: UserId
  readonly passwordHash: string
  readonly counters: readonly Counter[]
}

function startVerified(
  context: MembersContext,
  { deviceToken, source }: PasswordSignIn,
  { userId, passwordHash, counters }: Verified,
): Promise<SignInOutcome> {
  const change = { userId, action: 'user.sign_in' as const, source, sessionId: null }
  return changeUser<SignInOutcome>(context, change, async (work) => {
    const { trx, user, note, abort } = work
    // If the password was changed during the sign-in, this change ended all sessions of the user, so the sign-in must
    // not start a new session.
    if (user.passwordHash !== passwordHash) return abort({ is: 'wrong_credentials' })
    if (user.totpSealed !== null) {
      // The sign-in attempt is treated as failed until the TOTP code is verified, so that the failure limits also apply
      // to a person who knows only the password.
      note({ stage: [null, 'totp_required'] })
      return { is: 'totp_required', sessionToken: startSession(work, { stage: 'totp_required', source }) }
    }
    settleAttempt(trx, counters)
    note({ stage: [null, 'complete'] })
    const newDevice = await rememberDevice(work, deviceToken)
    return {
      is: 'signed_in',
      sessionToken: startSession(work, { stage: 'complete', source }),
      deviceToken: newDevice,
    }
  })
}

/** Returns the network and the known device from which a user attempts to sign in. */
export async function attackerOf(
  context: MembersContext,
  { userId, deviceToken, source }: { userId: UserId; deviceToken: string | null; source: Source },
): Promise<Attacker> {
  const network = sourceNetworkOf(source.ip)
  if (deviceToken === null) return { network, knownDevice: undefined }
  const tokenHash = hashToken(deviceToken)
  const isKnown = await isKnownDevice(context.database, { tokenHash, userId })
  return { network, knownDevice: isKnown ? tokenHash : undefined }
}
