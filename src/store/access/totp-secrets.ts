import type { UserId } from '../../../registry/values/vocabulary.ts'
import { sealedSecrets } from '../core/sealed-secrets.ts'

/**
 * The confirmed TOTP secrets of users, which are encrypted again when the encryption key changes. Unconfirmed secrets
 * are not encrypted again, because they are confirmed or discarded within minutes.
 */
export const sealedTotp = sealedSecrets<{ readonly id: UserId }>('users', 'totp_sealed', ['id'])
