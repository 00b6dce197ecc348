import { randomCode } from '../../base/ids.ts'
import { changeUser } from '../../store/access/user-change.ts'
import { countBackupCodes as countStored, setBackupCodes } from '../../store/access/users.ts'
import type { Context } from '../../store/core/mutation.ts'
import { hashToken } from '../token-format.ts'
import type { MembersContext, ReauthenticationRequired, SignedIn } from './context.ts'
import { mayChangeSignIn } from './recent-authentication.ts'

/**
 * A user who has lost the authenticator app enters a backup code instead of the app's code. Each backup code is valid
 * once. The database stores only the hashes of the codes.
 */

export const backupCodesMax = 10

/** Length of a backup code: 80 random bits in base32, which cannot be guessed, so a fast hash suffices for storage. */
const codeLength = 16
const groupLength = 4

/** Pattern of a backup code as the dashboard shows it. */
const shownForm = /^[0-9a-z]{4}(?:-[0-9a-z]{4}){3}$/

export interface NewBackupCodes {
  /** The new backup codes in clear text, which the dashboard shows once. */
  readonly codes: readonly string[]
  readonly hashes: readonly Buffer[]
}

export function newBackupCodes(): NewBackupCodes {
  const codes = Array.from({ length: backupCodesMax }, () => grouped(randomCode(codeLength).toLowerCase()))
  return { codes, hashes: codes.map(hashToken) }
}

/**
 * Returns the hash of a typed backup code, with or without hyphens; undefined if the text does not have the format of a
 * backup code.
 */
export function backupCodeHash(typed: string): Buffer | undefined {
  const text = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  if (text.length !== codeLength) return undefined
  const code = grouped(text)
  return shownForm.test(code) ? hashToken(code) : undefined
}

/** Reports whether a text has the format of a backup code, with its hyphens and in lower or upper case. */
export function isBackupCode(text: string): boolean {
  return shownForm.test(text.toLowerCase())
}

function grouped(text: string): string {
  const groups = Array.from({ length: text.length / groupLength }, (_, index) =>
    text.slice(index * groupLength, (index + 1) * groupLength),
  )
  return groups.join('-')
}

/** Counts only the unused codes. */
export function countBackupCodes({ database }: Context, { userId }: SignedIn['session']): Promise<number> {
  return countStored(database, userId)
}

export type RenewBackupCodesOutcome =
  | { readonly is: 'renewed'; readonly backupCodes: readonly string[] }
  | { readonly is: 'not_enabled' }
  | ReauthenticationRequired

/** The earlier codes of the user no longer work. */
export async function renewBackupCodes(
  context: MembersContext,
  { session, source }: SignedIn,
): Promise<RenewBackupCodesOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const { userId } = session
  const change = { userId, action: 'user.backup_codes_renew' as const, source, sessionId: session.id }
  return changeUser<RenewBackupCodesOutcome>(context, change, async ({ trx, user, now, note, abort }) => {
    if (user.totpSealed === null) return abort({ is: 'not_enabled' })
    const { codes, hashes } = newBackupCodes()
    setBackupCodes(trx, { id: userId, hashes, now })
    note({ backupCodes: [user.backupCodes, codes.length] })
    return { is: 'renewed', backupCodes: codes }
  })
}
