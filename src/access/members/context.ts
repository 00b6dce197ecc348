import type { Vault } from '../../base/vault.ts'
import type { SessionRecord } from '../../store/access/sessions.ts'
import type { Source } from '../../store/access/user-change.ts'
import type { Context } from '../../store/core/mutation.ts'

export interface MembersContext extends Context {
  /** The vault that encrypts TOTP secrets. */
  readonly vault: Vault
}

export interface SignedIn {
  readonly session: SessionRecord
  readonly source: Source
}

/** The sign-in attempt was not verified, because too many attempts have failed. */
export interface BackedOff {
  readonly is: 'backed_off'
  readonly retryAfterMs: number
}

/** The sign-in attempt was not verified, because too many passwords are being verified. */
export interface Busy {
  readonly is: 'busy'
  readonly retryAfterMs: number
}

/** The user must authenticate again before the session can change how the user signs in. */
export interface ReauthenticationRequired {
  readonly is: 'reauthentication_required'
}
