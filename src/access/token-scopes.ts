import { rolePermissions } from '../../registry/values/roles.ts'
import type { Scope } from '../../registry/values/scopes.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { lockMemberRole } from '../store/access/members.ts'
import type { Actor } from '../store/core/audit.ts'
import type { LockTrx } from '../store/core/database.ts'

/** The role of the member lacks scopes of the token, which would give the member more access than the role. */
export interface ScopesNotHeld {
  readonly is: 'scopes_not_held'
  readonly scopes: readonly Scope[]
}

/**
 * Returns the refusal of a token with scopes that the actor does not have; undefined for other tokens. The role cannot change
 * until the transaction ends. Operators may give every scope.
 */
export async function findScopesNotHeld(
  trx: LockTrx,
  { type, id }: Actor,
  { merchantId, scopes }: { readonly merchantId: MerchantId; readonly scopes: readonly Scope[] },
): Promise<ScopesNotHeld | undefined> {
  if (type !== 'member') return undefined
  const role = id === null ? undefined : await lockMemberRole(trx, { merchantId, id })
  const missing = scopes.filter((scope) => role === undefined || !rolePermissions[role].has(scope))
  return missing.length === 0 ? undefined : { is: 'scopes_not_held', scopes: missing }
}
