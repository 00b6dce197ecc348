import { webhookSecretGraceHours } from '../../registry/values/limits.ts'
import type { EventId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs } from '../base/clock.ts'
import type { Vault } from '../base/vault.ts'
import type { ReadDb } from '../store/core/database.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { leaseSeconds } from '../store/webhooks/leases.ts'
import { listSecrets } from '../store/webhooks/signing-secrets.ts'
import { hiddenValue } from '../webhooks/custom-headers.ts'
import { deliveryHeaders, isOwnHeader } from '../webhooks/delivery-headers.ts'
import { tryOpenSigningSecret } from './show-signing-secret.ts'

/**
 * The headers of past delivery attempts. They are not stored but computed again, because the signatures follow from the
 * body, the time of the attempt and the signing secrets of that time. The values of custom headers are secret, so their
 * names are shown with a mask.
 */

export interface SentHeaders {
  /**
   * `exact`: the attempt sent exactly these headers. `incomplete`: the request may have had one more signature, because
   * a signing secret that was valid at the attempt may have been deleted. `unsigned`: the signatures are left out,
   * because no signing secret that was valid at the attempt is stored.
   */
  readonly is: 'exact' | 'incomplete' | 'unsigned'
  readonly headers: Readonly<Record<string, string>>
  /**
   * Whether the custom headers that the endpoint had at the time of the attempt are known. If not, `headers` contains
   * no custom headers.
   */
  readonly hasCustomHeaders: boolean
}

interface SentDelivery extends EndpointKey {
  readonly eventId: EventId
  readonly body: string
  readonly endpointCreatedAt: Timestamp
  readonly headerNames: readonly string[] | null
  readonly headersChangedAt: Timestamp | null
}

/** Returns a function that computes the request headers of a delivery attempt from the start time of the attempt. */
export async function readSentHeaders(
  { database, vault }: { readonly database: ReadDb; readonly vault: Vault },
  { merchantId, endpointId, eventId, body, endpointCreatedAt, headerNames, headersChangedAt }: SentDelivery,
): Promise<(startedAt: Timestamp) => SentHeaders> {
  const endpoint = { merchantId, endpointId }
  const stored = await listSecrets(database, endpoint)
  const masked = (headerNames ?? []).map((name) => ({ name, value: hiddenValue }))
  return (startedAt) => {
    const startedMs = toMs(startedAt)
    const { live, isComplete } = secretsAt(stored, { startedMs, endpointCreatedAt })
    const secrets = live.flatMap((secret) => tryOpenSigningSecret(vault, endpoint, secret) ?? [])
    const hasCustomHeaders =
      headersChangedAt === null ||
      headersChangedAt === endpointCreatedAt ||
      startedMs - toMs(headersChangedAt) > leaseSeconds * secondMs
    const custom = hasCustomHeaders ? masked : []
    const headers = deliveryHeaders({ secrets, eventId, startedMs, body, headers: custom })
    if (secrets.length === 0) return { is: 'unsigned', headers: withoutSignatures(headers), hasCustomHeaders }
    return { is: isComplete && secrets.length === live.length ? 'exact' : 'incomplete', headers, hasCustomHeaders }
  }
}

type Secret = Awaited<ReturnType<typeof listSecrets>>[number]

const secondMs = 1000
const hourMs = 3600 * secondMs

/**
 * Returns the secrets that signed a delivery attempt, the current one first. `isComplete` is false if other secrets may
 * also have signed the attempt. A worker reads the secrets when it claims the delivery, so an attempt just after a
 * change of the secrets may have used the earlier secrets. The previous secret may have been deleted since the attempt;
 * it was valid for at most the longest grace period after the creation of the current secret.
 */
function secretsAt(
  stored: readonly Secret[],
  { startedMs, endpointCreatedAt }: { readonly startedMs: number; readonly endpointCreatedAt: Timestamp },
) {
  const known = stored
    .filter(({ createdAt }) => toMs(createdAt) <= startedMs)
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
  const live = known.filter(({ expiresAt }) => expiresAt === null || toMs(expiresAt) > startedMs)
  const [current] = known
  if (current === undefined) return { live, isComplete: false }
  const ageMs = startedMs - toMs(current.createdAt)
  const isFirst = current.createdAt === endpointCreatedAt
  const isPreviousKnown = known.length > 1 || isFirst || ageMs > webhookSecretGraceHours.max * hourMs
  const changes = known.flatMap(({ createdAt, expiresAt }) =>
    expiresAt === null ? [createdAt] : [createdAt, expiresAt],
  )
  const isSettled = changes.every((at) => at === endpointCreatedAt || !isWithinLease(startedMs - toMs(at)))
  return { live, isComplete: isPreviousKnown && isSettled }
}

function isWithinLease(ms: number): boolean {
  return ms >= 0 && ms <= leaseSeconds * secondMs
}

function withoutSignatures(headers: Record<string, string>): Record<string, string> {
  const isSignature = (name: string) => isOwnHeader(name) && /signature$/i.test(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSignature(name)))
}
