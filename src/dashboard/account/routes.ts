import type { Route } from '../kit/route.ts'
import { backupCodesPage, renewBackupCodesAction } from './backup-codes.ts'
import { changePassword } from './change-password.ts'
import {
  newPasskeyPage,
  passkeyRegistrationOptions,
  passkeyRemovalPage,
  registerPasskey,
  removePasskeyAction,
  startPasskey,
} from './passkeys.ts'
import { revokeOtherSessionsAction, revokeSessionAction } from './sessions.ts'
import { accountPage } from './show.ts'
import { confirmTotpCode, removeTotpAction, startTotp, totpRemovalPage } from './totp.ts'

export const accountRoutes: readonly Route[] = [
  ...[accountPage, changePassword],
  ...[startTotp, confirmTotpCode, totpRemovalPage, removeTotpAction],
  ...[backupCodesPage, renewBackupCodesAction],
  ...[
    newPasskeyPage,
    startPasskey,
    registerPasskey,
    passkeyRegistrationOptions,
    passkeyRemovalPage,
    removePasskeyAction,
  ],
  ...[revokeSessionAction, revokeOtherSessionsAction],
]
