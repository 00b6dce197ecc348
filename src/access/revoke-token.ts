import type { TokenId } from '../../registry/values/vocabulary.ts'
import { markTokenRevoked } from '../store/access/tokens.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'

/** Every process rejects a revoked token within five seconds, the lifetime of its token cache. */
export async function revokeToken(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  id: TokenId,
): Promise<{ is: 'revoked' } | { is: 'unknown' }> {
  const mutation = { tenant, actor, action: 'token.revoke' as const, resourceType: 'token', resourceId: () => id }
  return mutate<{ is: 'revoked' } | { is: 'unknown' }>(
    context,
    mutation,
    async ({ trx, merchantId, now, note, abort }) => {
      if (!(await markTokenRevoked(trx, { merchantId, id, now }))) return abort({ is: 'unknown' })
      note({ revokedAt: [null, now] })
      return { is: 'revoked' }
    },
  )
}
