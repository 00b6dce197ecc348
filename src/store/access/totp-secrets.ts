import type { UserId } from '../../../registry/values/vocabulary.ts'
import { sealedSecrets } from '../core/sealed-secrets.ts'

/** The TOTP secrets of users. Unconfirmed secrets are not included, because they are used within minutes. */
export const sealedTotp = sealedSecrets<{ readonly id: UserId }>('users', 'totp_sealed', ['id'])
