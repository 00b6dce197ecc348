import type { EventKind } from '../../registry/kit/event.ts'
import { webhookDescriptionMaxLength, webhookEndpointsMax } from '../../registry/values/limits.ts'
import type { EndpointId } from '../../registry/values/vocabulary.ts'
import { newId } from '../base/ids.ts'
import { newEndpointId } from '../base/records.ts'
import type { Vault } from '../base/vault.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import { checkUrl } from '../outbound/check-url.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { insertEndpoint, lockEndpointCount, subscribeTo } from '../store/webhooks/endpoint-writes.ts'
import { insertSecret } from '../store/webhooks/signing-secrets.ts'
import { faultIn } from '../webhooks/custom-headers.ts'
import type { CustomHeader } from '../webhooks/delivery-headers.ts'
import { newSigningSecret } from '../webhooks/signing-secret.ts'
import { type HeadersRefused, setHeaders } from './change-headers.ts'

export interface EndpointRequest {
  readonly url: string
  readonly kinds: readonly EventKind[]
  readonly description?: string | undefined
  readonly headers?: readonly CustomHeader[] | undefined
}

export type CreateEndpointOutcome =
  | { readonly is: 'created'; readonly id: EndpointId; readonly url: string; readonly secret: string }
  | { readonly is: 'url_refused'; readonly reason: string }
  | { readonly is: 'no_kinds' }
  | { readonly is: 'description_too_long' }
  | HeadersRefused
  | { readonly is: 'too_many_endpoints' }

/**
 * Creates a webhook endpoint for some event types. The signing secret can be read again later, so it is encrypted, not
 * hashed. The values of custom headers are sent, so they are encrypted too, but they cannot be read again. Without an
 * encryption key, throws a VaultError before anything is written.
 */
export async function createWebhookEndpoint(
  context: Context & { readonly policy: AddressPolicy; readonly vault: Vault },
  actor: Actor,
  tenant: Tenant,
  request: EndpointRequest,
): Promise<CreateEndpointOutcome> {
  const checked = checkUrl(request.url, context.policy)
  if (checked.is === 'refused') return { is: 'url_refused', reason: checked.reason }
  const kinds = [...new Set(request.kinds)]
  if (kinds.length === 0) return { is: 'no_kinds' }
  const { description = '', headers = [] } = request
  if (description.length > webhookDescriptionMaxLength) return { is: 'description_too_long' }
  const fault = faultIn(headers)
  if (fault !== undefined) return { is: 'headers_refused', ...fault }
  const { url } = checked
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.create' as const,
    resourceType: 'webhook_endpoint',
    resourceId: (created: CreateEndpointOutcome) => (created.is === 'created' ? created.id : undefined),
  }
  return mutate<CreateEndpointOutcome>(context, mutation, async (work) => {
    const { trx, merchantId, nowMs, now, note, abort } = work
    if ((await lockEndpointCount(trx, merchantId)) >= webhookEndpointsMax) return abort({ is: 'too_many_endpoints' })
    const endpointId = newEndpointId(nowMs)
    const secretId = newId('whs', nowMs)
    const secret = newSigningSecret()
    const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId } as const
    const sealed = context.vault.seal(secret, binding)
    insertEndpoint(trx, { merchantId, id: endpointId, url, description, createdAt: now, updatedAt: now })
    insertSecret(trx, { merchantId, endpointId, id: secretId, sealed, createdAt: now })
    subscribeTo(trx, { merchantId, endpointId, kinds })
    note({ url: [null, withoutQuery(url)], kinds: [null, kinds] })
    if (headers.length > 0) setHeaders(work, context.vault, { endpointId, url, before: null, headers, replaced: [] })
    return { is: 'created', id: endpointId, url, secret }
  })
}

/** Masks the query of a URL: a query may contain credentials, and credentials must not be stored in the audit log. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*/s, '?…')
}
