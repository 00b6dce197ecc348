import type { EventKind } from '../../registry/event.ts'
import type { EndpointId } from '../../registry/vocabulary.ts'
import { newId } from '../ids.ts'
import { newEndpointId } from '../records.ts'
import type { Actor } from '../store/audit.ts'
import { insertEndpoint } from '../store/endpoints.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'
import type { AddressPolicy } from '../webhooks/address-policy.ts'
import { checkUrl } from '../webhooks/check-url.ts'
import { newSigningSecret } from '../webhooks/signing-secret.ts'

export interface EndpointRequest {
  readonly url: string
  readonly kinds: readonly EventKind[]
}

export type CreateEndpointOutcome =
  | { readonly is: 'created'; readonly id: EndpointId; readonly url: string; readonly secret: string }
  | { readonly is: 'url_refused'; readonly reason: string }
  | { readonly is: 'no_kinds' }

/** Registers a URL for some kinds of events. The secret can be read again later: signatures need it as it is. */
export async function createWebhookEndpoint(
  context: Context & { readonly policy: AddressPolicy },
  actor: Actor,
  tenant: Tenant,
  request: EndpointRequest,
): Promise<CreateEndpointOutcome> {
  const checked = checkUrl(request.url, context.policy, tenant.mode)
  if (checked.is === 'refused') return { is: 'url_refused', reason: checked.reason }
  const kinds = [...new Set(request.kinds)]
  if (kinds.length === 0) return { is: 'no_kinds' }
  const { url } = checked
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.create',
    resourceType: 'webhook_endpoint',
    resourceId: (created: { id: EndpointId }) => created.id,
  }
  return mutate(context, mutation, async ({ trx, merchantId, nowMs, now, note }) => {
    const id = newEndpointId(nowMs)
    const secret = newSigningSecret()
    insertEndpoint(trx, { merchantId, endpointId: id, url, kinds, secretId: newId('whs', nowMs), secret, now })
    note({ url: [null, withoutQuery(url)], kinds: [null, kinds] })
    return { is: 'created' as const, id, url, secret }
  })
}

/** A query may hold the receiver's own credentials, which do not belong in a log that is kept for ever. */
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, '?…')
}
