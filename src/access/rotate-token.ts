import type { Timestamp, TokenId } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { newTokenId } from '../base/records.ts'
import { insertToken, lockToken, markTokenRotated } from '../store/access/tokens.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { hashToken, newToken, tokenPrefixes } from './token-format.ts'
import { findScopesNotHeld, type ScopesNotHeld } from './token-scopes.ts'

export type RotationOutcome =
  | {
      readonly is: 'rotated'
      readonly id: TokenId
      readonly token: string
      readonly expiresAt: Timestamp | null
      /**
       * When the old token expires: at the end of the overlap of both tokens, or at its own expiry if that is earlier.
       */
      readonly oldExpiresAt: Timestamp
    }
  | { readonly is: 'unknown' }
  | { readonly is: 'ended' }
  | ScopesNotHeld

export interface Rotation {
  readonly id: TokenId
  /** Milliseconds after a rotation in which both the old and the new token are valid. */
  readonly overlapMs: number
}

/**
 * Creates a token with the name, scopes, IP allowlist and lifetime of an existing token. The old token expires only
 * after an overlap, so that an integration can switch to the new token without downtime. A member can rotate only a
 * token whose scopes the member's role can give. Only this result contains the new token (spec 5.4).
 */
export function rotateToken(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  { id: oldId, overlapMs }: Rotation,
): Promise<RotationOutcome> {
  const mutation = { tenant, actor, action: 'token.rotate' as const, resourceType: 'token', resourceId: () => oldId }
  return mutate<RotationOutcome>(context, mutation, async ({ trx, merchantId, nowMs, now, note, abort }) => {
    const old = await lockToken(trx, { merchantId, id: oldId })
    const isOver =
      old !== undefined && (old.revokedAt !== null || (old.expiresAt !== null && toMs(old.expiresAt) <= nowMs))
    if (old === undefined || isOver) return abort({ is: old === undefined ? 'unknown' : 'ended' })
    const notHeld = await findScopesNotHeld(trx, actor, tenant, old.scopes)
    if (notHeld !== undefined) return abort(notHeld)
    const token = newToken(tenant.mode)
    const id = newTokenId(nowMs)
    // An earlier rotation has shortened the expiry of the old token. If this rotation copied the shorter lifetime, the new
    // token would expire within days although the old token never expired.
    const expiresAtBeforeRotation = old.rotatedAt === null ? old.expiresAt : old.expiresAtBeforeRotation
    const lifetimeMs = expiresAtBeforeRotation === null ? null : toMs(expiresAtBeforeRotation) - toMs(old.createdAt)
    const expiresAt = lifetimeMs === null ? null : toTimestamp(nowMs + lifetimeMs)
    const overlapEndMs = nowMs + overlapMs
    const oldExpiresAt = toTimestamp(
      old.expiresAt === null ? overlapEndMs : Math.min(overlapEndMs, toMs(old.expiresAt)),
    )
    insertToken(trx, {
      ...{ merchantId, id, name: old.name, scopes: [...old.scopes], ipAllowlist: [...old.ipAllowlist], expiresAt },
      prefix: tokenPrefixes[tenant.mode],
      lastFour: token.slice(-4),
      tokenHash: hashToken(token),
      createdBy: actor.label,
      createdAt: now,
    })
    markTokenRotated(trx, {
      ...{ merchantId, id: oldId, expiresAt: oldExpiresAt, expiresAtBeforeRotation },
      rotatedAt: old.rotatedAt ?? now,
    })
    note({ replacedBy: [null, id], expiresAt: [old.expiresAt, oldExpiresAt] })
    return { is: 'rotated', id, token, expiresAt, oldExpiresAt }
  })
}
