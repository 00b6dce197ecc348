import type { Scope } from '../../../registry/values/scopes.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../../store/core/audit.ts'
import { Refusal } from './refusal.ts'

/** The authenticated caller: a token or a signed-in member, with its merchant and mode. */
export interface Caller {
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
  /** The caller, in the form in which the audit log records an actor. */
  readonly by: Pick<Actor, 'type' | 'label' | 'sessionId'> & { readonly id: string }
  readonly scopes: readonly Scope[]
  readonly sourceIp: string
  /** The merchant’s own rate limits as one line. Null if the configured limits of the service apply. */
  readonly rateLimits: string | null
  /**
   * Whether the merchant records the redacted bodies of rejected requests. Always false for a member, because the
   * request log contains no requests from the dashboard.
   */
  readonly recordsBodies: boolean
}

interface Called {
  readonly caller: Caller
  readonly requestId: string
  readonly userAgent: string | null
}

export function actorOf({ caller: { by, sourceIp }, requestId, userAgent }: Called): Actor {
  return { ...by, sourceIp, requestId, userAgent }
}

/** Throws a refusal if the caller lacks the required scope (spec 5.3). */
export function authorize({ scopes }: Caller, requiredScope: Scope): void {
  if (scopes.includes(requiredScope)) return
  throw new Refusal('insufficient_scope', `This operation requires the scope ${requiredScope}.`, {
    details: { requiredScope, tokenScopes: scopes },
  })
}
