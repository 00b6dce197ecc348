import type { TokenId } from '../../registry/vocabulary.ts'
import type { Actor } from '../store/audit.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'
import { markTokenRevoked } from '../store/tokens.ts'

/** Thrown inside the mutation so that nothing of it, not even an audit row, is kept. */
class TokenUnknown extends Error {}

/** Revokes a token; every process stops taking it within its cache's five seconds. */
export async function revokeToken(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  id: TokenId,
): Promise<{ is: 'revoked' } | { is: 'unknown' }> {
  const mutation = { tenant, actor, action: 'token.revoke', resourceType: 'token', resourceId: () => id }
  try {
    return await mutate(context, mutation, async ({ trx, merchantId, now, note }) => {
      if (!(await markTokenRevoked(trx, { merchantId, id, now }))) throw new TokenUnknown()
      note({ revokedAt: [null, now] })
      return { is: 'revoked' as const }
    })
  } catch (error) {
    if (error instanceof TokenUnknown) return { is: 'unknown' }
    throw error
  }
}
