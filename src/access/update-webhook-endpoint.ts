import { hash } from 'node:crypto'
import type { EventKind } from '../../registry/kit/event.ts'
import { webhookDescriptionMaxLength } from '../../registry/values/limits.ts'
import type { EndpointId, Timestamp } from '../../registry/values/vocabulary.ts'
import type { Vault } from '../base/vault.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import { checkUrl } from '../outbound/check-url.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../store/core/mutation.ts'
import { type EndpointStateRow, lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import { describeEndpoint, listKinds, setEndpointUrl, subscribeTo } from '../store/webhooks/endpoint-writes.ts'
import { lockEndpoint } from '../store/webhooks/endpoints.ts'
import { faultIn } from '../webhooks/custom-headers.ts'
import { endpointRowOf, endpointStateOf } from '../webhooks/endpoint-row.ts'
import { changeCredentials, redirectEndpoint } from '../webhooks/reduce.ts'
import { type HeaderChange, type HeadersRefused, planHeaders, setHeaders } from './change-headers.ts'
import { withoutQuery } from './create-webhook-endpoint.ts'

/** An undefined field stays unchanged. */
export interface EndpointChange {
  readonly endpointId: EndpointId
  readonly url?: string | undefined
  readonly kinds?: readonly EventKind[] | undefined
  readonly description?: string | undefined
  readonly headers?: HeaderChange | undefined
  /**
   * The version that the endpoint must still have when the change is made. If undefined, the change is made regardless
   * of the version.
   */
  readonly version?: string | undefined
}

export type UpdateEndpointOutcome =
  | {
      readonly is: 'updated' | 'unchanged'
      readonly url: string
      readonly kinds: readonly EventKind[]
      readonly description: string
      /** The names of the custom headers. */
      readonly headers: readonly string[]
    }
  | { readonly is: 'endpoint_unknown' }
  /** The endpoint was changed after the given version. */
  | { readonly is: 'stale' }
  | { readonly is: 'url_refused'; readonly reason: string }
  | { readonly is: 'no_kinds' }
  | { readonly is: 'description_too_long' }
  | HeadersRefused

/**
 * Changes the URL, event types, description or custom headers of a webhook endpoint. A new URL is checked like the URL
 * of a new endpoint. A new URL is treated as a new receiver, so the failure count of the endpoint is reset. The results
 * of attempts to the old URL do not change this count. Queued deliveries go to the new URL, which is read at each
 * attempt.
 */
export async function updateWebhookEndpoint(
  context: Context & { readonly policy: AddressPolicy; readonly vault: Vault },
  actor: Actor,
  tenant: Tenant,
  change: EndpointChange,
): Promise<UpdateEndpointOutcome> {
  const checked = change.url === undefined ? undefined : checkUrl(change.url, context.policy)
  if (checked?.is === 'refused') return { is: 'url_refused', reason: checked.reason }
  const kinds = change.kinds && [...new Set(change.kinds)].toSorted()
  if (kinds?.length === 0) return { is: 'no_kinds' }
  if ((change.description?.length ?? 0) > webhookDescriptionMaxLength) return { is: 'description_too_long' }
  const fault = faultIn(change.headers?.set ?? [])
  if (fault !== undefined) return { is: 'headers_refused', ...fault }
  const { endpointId } = change
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.update' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  const wanted = { ...change, kinds, url: checked?.url }
  const outcome = await mutate<UpdateEndpointOutcome>(context, mutation, (work) => apply(work, context.vault, wanted))
  // The throttling of deliveries to the old URL does not apply to the new URL.
  if (outcome.is === 'updated' && checked !== undefined) context.nudge(tenant.merchantId, [endpointId])
  return outcome
}

async function apply(work: Work, vault: Vault, change: EndpointChange): Promise<UpdateEndpointOutcome> {
  const { trx, merchantId, abort } = work
  const key = { merchantId, endpointId: change.endpointId }
  const [endpoint, [state], subscribed] = await Promise.all([
    lockEndpoint(trx, key),
    lockEndpointStates(trx, [key]),
    listKinds(trx, key),
  ])
  if (endpoint === undefined || state === undefined || endpoint.deletedAt !== null)
    return abort({ is: 'endpoint_unknown' })
  const stored = { ...endpoint, kinds: subscribed }
  if (change.version !== undefined && change.version !== endpointVersion(stored)) return abort({ is: 'stale' })
  const { url = stored.url, description = stored.description, kinds = stored.kinds } = change
  const isMoved = new URL(url).origin !== new URL(stored.url).origin
  const planned = planHeaders(vault, key, { stored, change: change.headers ?? { set: [], remove: [] }, isMoved })
  if (planned.is === 'headers_refused') return abort(planned)
  const headers = planned.is === 'changed' ? planned.headers.map(({ name }) => name) : (stored.headerNames ?? [])
  const isDescribed = description !== stored.description
  const isSubscribed = kinds.join() !== stored.kinds.join()
  if (url === stored.url && !isDescribed && !isSubscribed && planned.is === 'unchanged')
    return abort({ is: 'unchanged', url, kinds, description, headers })
  if (planned.is === 'changed') setHeaders(work, vault, { endpointId: change.endpointId, url, ...planned })
  writeReceiver(work, { state, from: stored.url, to: url, hasNewHeaders: planned.is === 'changed' })
  if (isDescribed) {
    describeEndpoint(trx, { ...key, description, now: work.now })
    work.note({ description: [stored.description, description] })
  }
  if (isSubscribed) {
    subscribeTo(trx, { ...key, kinds })
    work.note({ kinds: [stored.kinds, kinds] })
  }
  return { is: 'updated', url, kinds, description, headers }
}

interface NewReceiver {
  readonly state: EndpointStateRow
  readonly from: string
  readonly to: string
  readonly hasNewHeaders: boolean
}

/**
 * Stores a new URL. A new URL or new custom headers also change the endpoint's state, such as the failure count, and
 * this change is stored too.
 */
function writeReceiver({ trx, now, note }: Work, { state, from, to, hasNewHeaders }: NewReceiver): void {
  const isRedirected = to !== from
  if (!isRedirected && !hasNewHeaders) return
  if (isRedirected) {
    setEndpointUrl(trx, { merchantId: state.merchantId, endpointId: state.endpointId, url: to, now })
    note({ url: [withoutQuery(from), withoutQuery(to)] })
  }
  const change = isRedirected ? redirectEndpoint : changeCredentials
  saveEndpointStates(trx, [endpointRowOf(state, change(endpointStateOf(state)))], now)
}

interface EditableEndpoint {
  readonly url: string
  readonly description: string
  readonly kinds: readonly EventKind[]
  /**
   * When the custom headers last changed. The version of the endpoint is computed from this time and not from the
   * values of the headers, because the values are secret.
   */
  readonly headersChangedAt: Timestamp | null
}

/**
 * Returns the version of the editable fields of a webhook endpoint. It is a hash and not a counter: the row of the
 * endpoint also changes with each delivery, and such a change must not make an open form stale.
 */
export function endpointVersion({ url, description, kinds, headersChangedAt }: EditableEndpoint): string {
  return hash('sha256', JSON.stringify([url, description, kinds.toSorted(), headersChangedAt]), 'base64url')
}
