import { webhookHeadersMax } from '../../registry/values/limits.ts'
import type { EndpointId } from '../../registry/values/vocabulary.ts'
import type { Vault } from '../base/vault.ts'
import type { Work } from '../store/core/mutation.ts'
import { setEndpointHeaders } from '../store/webhooks/endpoint-headers.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { type HeaderFault, keyOf, openHeaders, sealHeaders, tooManyHeaders } from '../webhooks/custom-headers.ts'
import type { CustomHeader } from '../webhooks/delivery-headers.ts'

/** Custom headers of the endpoint that the change does not name stay unchanged. */
export interface HeaderChange {
  /** A stored header with the same name gets the new value. */
  readonly set: readonly CustomHeader[]
  readonly remove: readonly string[]
}

export interface HeadersRefused extends HeaderFault {
  readonly is: 'headers_refused'
  /**
   * Names of the stored headers that prevent a change of the endpoint's URL to another origin. The caller must send the
   * values of these headers again, or remove the headers. Undefined if the headers were refused for another reason.
   */
  readonly names?: readonly string[]
}

export type HeadersPlan = HeadersRefused | { readonly is: 'unchanged' } | ({ readonly is: 'changed' } & NewHeaders)

interface NewHeaders {
  /** Names of the headers before the change. Null if there were none. */
  readonly before: readonly string[] | null
  /** All headers after the change. */
  readonly headers: readonly CustomHeader[]
  /** The names of the headers that got another value. */
  readonly replaced: readonly string[]
}

interface PlannedHeaders {
  readonly stored: {
    readonly url: string
    readonly sealedHeaders: Buffer | null
    readonly headerNames: readonly string[] | null
  }
  readonly change: HeaderChange
  /** Whether the request changes the URL of the endpoint to another origin (scheme, host or port). */
  readonly isMoved: boolean
}

/**
 * Applies a change to the stored headers of an endpoint. Stored values are decrypted only if the change retains some of
 * them, so that headers whose encryption key is lost can be replaced or removed. A stored value is never sent to
 * another origin: otherwise a member could read the value by changing the URL.
 */
export function planHeaders(vault: Vault, key: EndpointKey, planned: PlannedHeaders): HeadersPlan {
  const { stored, change, isMoved } = planned
  const before = stored.headerNames ?? []
  const unknown = change.remove.find((name) => !hasHeader(before, name))
  if (unknown !== undefined) {
    return { is: 'headers_refused', name: unknown, reason: `The endpoint has no custom header ${unknown}.` }
  }
  const set = change.set.map(({ name }) => name)
  const left = before.filter((name) => !hasHeader(change.remove, name))
  const kept = left.filter((name) => !hasHeader(set, name))
  if (isMoved && kept.length > 0)
    return { is: 'headers_refused', names: kept, part: 'value', reason: movedReason(kept) }
  if (set.length === 0 && change.remove.length === 0) return { is: 'unchanged' }
  if (kept.length + set.length > webhookHeadersMax) return { is: 'headers_refused', ...tooManyHeaders }
  const values = kept.length === 0 ? [] : openHeaders(vault, { ...key, url: stored.url }, stored.sealedHeaders)
  const headers = [...values.filter(({ name }) => hasHeader(kept, name)), ...change.set]
  return { is: 'changed', before: stored.headerNames, headers, replaced: set.filter((name) => hasHeader(left, name)) }
}

/** Header names are case-insensitive. */
export function hasHeader(names: readonly string[], name: string): boolean {
  return names.some((each) => keyOf(each) === keyOf(name))
}

function movedReason(names: readonly string[]): string {
  return `The new URL has another scheme, host or port, to which stored values are not sent. Give the value again, or remove the header: ${names.join(', ')}.`
}

/** The audit log records only the names of the headers. */
export function setHeaders(
  { trx, merchantId, now, note }: Work,
  vault: Vault,
  {
    endpointId,
    url,
    before,
    headers,
    replaced,
  }: NewHeaders & { readonly endpointId: EndpointId; readonly url: string },
): void {
  const key = { merchantId, endpointId }
  const isEmpty = headers.length === 0
  const headerNames = isEmpty ? null : headers.map(({ name }) => name)
  const sealedHeaders = isEmpty ? null : sealHeaders(vault, { ...key, url }, headers)
  setEndpointHeaders(trx, { ...key, sealedHeaders, headerNames, now })
  note({ headers: [before, headerNames] })
  if (replaced.length > 0) note({ replacedHeaderValues: [null, replaced] })
}
