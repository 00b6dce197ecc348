import type { Vault } from '../../base/vault.ts'
import type { SessionRecord } from '../../store/access/sessions.ts'
import type { Source } from '../../store/access/user-change.ts'
import type { Context } from '../../store/core/mutation.ts'

export interface MembersContext extends Context {
  /** Encrypts TOTP secrets. */
  readonly vault: Vault
}

/** The session of a request, and where the request came from. */
export interface SignedIn {
  readonly session: SessionRecord
  readonly source: Source
}

/** Too many attempts failed. The attempt was not verified. */
export interface BackedOff {
  readonly is: 'backed_off'
  readonly retryAfterMs: number
}

/** Too many passwords are being verified. The attempt was not verified. */
export interface Busy {
  readonly is: 'busy'
  readonly retryAfterMs: number
}

/** The session must authenticate again before it changes how its user signs in. */
export interface ReauthenticationRequired {
  readonly is: 'reauthentication_required'
}
