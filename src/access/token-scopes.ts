import { grantableScopes } from '../../registry/values/roles.ts'
import type { Scope } from '../../registry/values/scopes.ts'
import { lockMemberRole } from '../store/access/members.ts'
import type { Actor } from '../store/core/audit.ts'
import type { LockTrx } from '../store/core/database.ts'
import type { Tenant } from '../store/core/mutation.ts'

/**
 * The token has scopes that the role of the member does not include. With this token, the member would have more access
 * than the role allows.
 */
export interface ScopesNotHeld {
  readonly is: 'scopes_not_held'
  readonly scopes: readonly Scope[]
}

/**
 * Returns a refusal if there are scopes that the actor cannot give to a token. Undefined if the actor can give all the
 * requested scopes. The actor's role cannot change until the transaction ends. Operators may give every scope.
 */
export async function findScopesNotHeld(
  trx: LockTrx,
  { type, id }: Actor,
  { merchantId, mode }: Tenant,
  scopes: readonly Scope[],
): Promise<ScopesNotHeld | undefined> {
  if (type !== 'member') return undefined
  const role = id === null ? undefined : await lockMemberRole(trx, { merchantId, id })
  const grantable = role === undefined ? [] : grantableScopes(role, mode)
  const missing = scopes.filter((scope) => !grantable.includes(scope))
  return missing.length === 0 ? undefined : { is: 'scopes_not_held', scopes: missing }
}
