import type { Scope } from '../../registry/values/scopes.ts'
import { createToken } from '../../src/access/create-token.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import type { Context, Tenant } from '../../src/store/core/mutation.ts'

const actor = systemActor('bench')

/** Creates an API token that has the given scopes and never expires. Returns its secret. */
export async function createBenchToken(context: Context, tenant: Tenant, scopes: readonly Scope[]): Promise<string> {
  const request = { name: 'bench', scopes: [...scopes], expiresAt: null, ipAllowlist: [] }
  const created = await createToken(context, actor, tenant, request)
  if (created.is !== 'created') throw new Error(`No token was created: ${created.is}.`)
  return created.token
}
