import { hash } from 'node:crypto'
import type { EventKind } from '../../registry/kit/event.ts'
import { webhookDescriptionMaxLength } from '../../registry/values/limits.ts'
import type { EndpointId } from '../../registry/values/vocabulary.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import { checkUrl } from '../outbound/check-url.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import { describeEndpoint, listKinds, setEndpointUrl, subscribeTo } from '../store/webhooks/endpoint-writes.ts'
import { lockEndpoint } from '../store/webhooks/endpoints.ts'
import { endpointRowOf, endpointStateOf } from '../webhooks/endpoint-row.ts'
import { redirectEndpoint } from '../webhooks/reduce.ts'
import { withoutQuery } from './create-webhook-endpoint.ts'

/** Changes to a webhook endpoint. An undefined field stays unchanged. */
export interface EndpointChange {
  readonly endpointId: EndpointId
  readonly url?: string | undefined
  readonly kinds?: readonly EventKind[] | undefined
  readonly description?: string | undefined
  /** The version that the endpoint must still have when the change is made. Any version if left out. */
  readonly version?: string | undefined
}

export type UpdateEndpointOutcome =
  | {
      readonly is: 'updated' | 'unchanged'
      readonly url: string
      readonly kinds: readonly EventKind[]
      readonly description: string
    }
  | { readonly is: 'endpoint_unknown' }
  /** The endpoint was changed after the given version. */
  | { readonly is: 'stale' }
  | { readonly is: 'url_refused'; readonly reason: string }
  | { readonly is: 'no_kinds' }
  | { readonly is: 'description_too_long' }

/**
 * Changes the URL, event types or description of a webhook endpoint. A new URL is checked like the URL of a new
 * endpoint. It counts as a new receiver: the failure count is reset, and results of attempts to the old URL do not
 * change it. Queued deliveries go to the new URL, which is read at each attempt.
 */
export async function updateWebhookEndpoint(
  context: Context & { readonly policy: AddressPolicy },
  actor: Actor,
  tenant: Tenant,
  change: EndpointChange,
): Promise<UpdateEndpointOutcome> {
  const checked = change.url === undefined ? undefined : checkUrl(change.url, context.policy)
  if (checked?.is === 'refused') return { is: 'url_refused', reason: checked.reason }
  const wantedKinds = change.kinds && [...new Set(change.kinds)].toSorted()
  if (wantedKinds?.length === 0) return { is: 'no_kinds' }
  if ((change.description?.length ?? 0) > webhookDescriptionMaxLength) return { is: 'description_too_long' }
  const { endpointId } = change
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.update',
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  const outcome = await mutate<UpdateEndpointOutcome>(
    context,
    mutation,
    async ({ trx, merchantId, now, note, abort }) => {
      const key = { merchantId, endpointId }
      const [endpoint, [state], subscribed] = await Promise.all([
        lockEndpoint(trx, key),
        lockEndpointStates(trx, [key]),
        listKinds(trx, key),
      ])
      if (endpoint === undefined || state === undefined || endpoint.deletedAt !== null)
        return abort({ is: 'endpoint_unknown' })
      const shown = { url: endpoint.url, description: endpoint.description, kinds: subscribed }
      if (change.version !== undefined && change.version !== endpointVersion(shown)) return abort({ is: 'stale' })
      const { url = endpoint.url } = checked ?? {}
      const { description = endpoint.description } = change
      const kinds = wantedKinds ?? subscribed
      const isRedirected = url !== endpoint.url
      const isDescribed = description !== endpoint.description
      const isSubscribed = kinds.join() !== subscribed.join()
      if (!isRedirected && !isDescribed && !isSubscribed) return abort({ is: 'unchanged', url, kinds, description })
      if (isRedirected) {
        setEndpointUrl(trx, { ...key, url, now })
        saveEndpointStates(trx, [endpointRowOf(state, redirectEndpoint(endpointStateOf(state)))], now)
        note({ url: [withoutQuery(endpoint.url), withoutQuery(url)] })
      }
      if (isDescribed) {
        describeEndpoint(trx, { ...key, description, now })
        note({ description: [endpoint.description, description] })
      }
      if (isSubscribed) {
        subscribeTo(trx, { ...key, kinds })
        note({ kinds: [subscribed, kinds] })
      }
      return { is: 'updated', url, kinds, description }
    },
  )
  // The throttling of deliveries to the old URL does not apply to the new URL.
  if (outcome.is === 'updated' && checked !== undefined) context.nudge(tenant.merchantId, [endpointId])
  return outcome
}

interface EditableEndpoint {
  readonly url: string
  readonly description: string
  readonly kinds: readonly EventKind[]
}

/**
 * Returns the version of the editable fields of a webhook endpoint. It is a hash and not a counter: the row of the
 * endpoint also changes with each delivery, and such a change must not make an open form stale.
 */
export function endpointVersion({ url, description, kinds }: EditableEndpoint): string {
  return hash('sha256', JSON.stringify([url, description, kinds.toSorted()]), 'base64url')
}
