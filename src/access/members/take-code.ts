import type { UserWork } from '../../store/access/user-change.ts'
import { takeBackupCode, takeTotpStep } from '../../store/access/users.ts'
import { backupCodeHash } from './backup-codes.ts'
import type { MembersContext } from './context.ts'
import { openTotp, totpStepOf } from './totp.ts'

/**
 * Uses a code of the authenticator app, or a backup code, inside a change of the user. Each code is accepted once. Returns
 * the method to audit; undefined for a code that is wrong or used.
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
