import type { Scope } from '../../registry/values/scopes.ts'
import type { Timestamp, TokenId } from '../../registry/values/vocabulary.ts'
import { newTokenId } from '../base/records.ts'
import { insertToken } from '../store/access/tokens.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { normaliseNetwork } from './networks.ts'
import { hashToken, newToken, tokenPrefixes } from './token-format.ts'
import { findScopesNotHeld, type ScopesNotHeld } from './token-scopes.ts'

export interface TokenRequest {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Timestamp | null
  readonly ipAllowlist: readonly string[]
}

export type TokenOutcome =
  | { readonly is: 'created'; readonly id: TokenId; readonly token: string }
  | { readonly is: 'invalid_network'; readonly network: string }
  | ScopesNotHeld

/**
 * Creates an API token. A member can give the token only scopes that the member's role can give in the token's mode
 * (live or test). Only this result contains the full token; the database stores its hash (spec 5.4).
 */
export async function createToken(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  request: TokenRequest,
): Promise<TokenOutcome> {
  const networks: string[] = []
  for (const network of request.ipAllowlist) {
    const normalised = normaliseNetwork(network)
    if (normalised === undefined) return { is: 'invalid_network', network }
    networks.push(normalised)
  }
  const token = newToken(tenant.mode)
  const scopes = [...new Set(request.scopes)]
  const mutation = {
    tenant,
    actor,
    action: 'token.create' as const,
    resourceType: 'token',
    resourceId: (outcome: TokenOutcome) => (outcome.is === 'created' ? outcome.id : undefined),
  }
  return mutate<TokenOutcome>(context, mutation, async ({ trx, merchantId, nowMs, now, note, abort }) => {
    const notHeld = await findScopesNotHeld(trx, actor, tenant, scopes)
    if (notHeld !== undefined) return abort(notHeld)
    const id = newTokenId(nowMs)
    insertToken(trx, {
      merchantId,
      id,
      name: request.name,
      prefix: tokenPrefixes[tenant.mode],
      lastFour: token.slice(-4),
      tokenHash: hashToken(token),
      scopes,
      ipAllowlist: networks,
      createdBy: actor.label,
      expiresAt: request.expiresAt,
      createdAt: now,
    })
    note({ scopes: [null, scopes], expiresAt: [null, request.expiresAt], ipAllowlist: [null, networks] })
    return { is: 'created', id, token }
  })
}
