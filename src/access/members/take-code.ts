import type { UserWork } from '../../store/access/user-change.ts'
import { takeBackupCode, takeTotpStep } from '../../store/access/users.ts'
import { backupCodeHash } from './backup-codes.ts'
import type { MembersContext } from './context.ts'
import { openTotp, totpStepOf } from './totp.ts'

/**
 * Verifies a code of the authenticator app or a backup code, and marks it as used in the transaction that changes the
 * user. Returns which of the two methods was used, for the audit log; undefined for a code that is wrong or already
 * used.
 */
export async function takeCode(
  { vault }: MembersContext,
  { trx, user, nowMs, now, note }: UserWork,
  code: string,
): Promise<'totp' | 'backup_code' | undefined> {
  if (user.totpSealed === null) return undefined
  const hash = backupCodeHash(code)
  if (hash !== undefined) {
    if (!(await takeBackupCode(trx, { id: user.id, hash, now }))) return undefined
    note({ backupCodes: [user.backupCodes, user.backupCodes - 1] })
    return 'backup_code'
  }
  const step = totpStepOf(openTotp(vault, user.id, user.totpSealed), code, nowMs)
  if (step === undefined || !(await takeTotpStep(trx, { id: user.id, step }))) return undefined
  return 'totp'
}
