import { signatureHeader } from '../../registry/kit/event.ts'
import { webhookToleranceSeconds } from '../../registry/values/limits.ts'
import { type EndpointId, EventId } from '../../registry/values/vocabulary.ts'
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/vault.ts'
import { type Verification, verifyWebhook } from '../receiver/verify-webhook.ts'
import type { Database } from '../store/core/database.ts'
import { listDeliveries } from '../store/webhooks/delivery-list.ts'
import { findDelivery } from '../store/webhooks/delivery-record.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { type BodyDifference, bodyDifference } from './body-difference.ts'
import { liveSigningSecrets } from './show-signing-secret.ts'

/** The body and the signature header of a delivery, as a webhook receiver read them. */
export interface ReadDelivery extends EndpointKey {
  /** The value of the signature header, or the whole line of the header. */
  readonly header: string
  readonly body: string
  /** The id of the event that was delivered. If undefined, the id is taken from the body. */
  readonly eventId: EventId | undefined
}

export type SignatureVerdict =
  | { readonly is: 'endpoint_unknown' }
  /** The header is not of the form that the service sends. */
  | { readonly is: 'malformed'; readonly reason: string }
  /** The signature is valid. `ageSeconds` is the time since the signature, which is negative for a time in the future. */
  | { readonly is: 'valid'; readonly ageSeconds: number; readonly isInTolerance: boolean }
  /** No signature of the header matches the body and a signing secret of the endpoint. */
  | {
      readonly is: 'mismatch'
      readonly ageSeconds: number
      readonly isInTolerance: boolean
      readonly reason: string
      readonly comparison: Comparison
    }

/**
 * The result of comparing two bodies of one event: the body that the receiver read, and the body that the service sent.
 */
export type Comparison =
  /**
   * Neither the body nor the member's input contains the id of an event, so the body that the service sent cannot be
   * found.
   */
  | { readonly is: 'event_unnamed' }
  /** The merchant has no delivery of the event. */
  | { readonly is: 'event_unknown'; readonly eventId: EventId }
  /** The event was delivered to another endpoint of the merchant, but not to the given one. */
  | { readonly is: 'other_endpoint'; readonly eventId: EventId; readonly endpointId: EndpointId }
  | { readonly is: 'same'; readonly eventId: EventId }
  /** `isSentSigned` tells whether a signature of the header matches the body that the service sent. */
  | {
      readonly is: 'different'
      readonly eventId: EventId
      readonly difference: BodyDifference
      readonly isSentSigned: boolean
    }

interface VerifyContext {
  readonly database: Database
  readonly clock: Clock
  readonly vault: Vault
}

/** Verifies the signature of a delivery that a receiver rejected, and finds the reason of the rejection. */
export async function verifySignature(context: VerifyContext, delivery: ReadDelivery): Promise<SignatureVerdict> {
  const { body } = delivery
  const secrets = await liveSigningSecrets(context, delivery)
  if (secrets.length === 0) return { is: 'endpoint_unknown' }
  const header = headerValueOf(delivery.header)
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000)
  const verify = (rawBody: string) =>
    verifyWebhook({ rawBody, header, secret: secrets, nowSeconds, toleranceSeconds: webhookToleranceSeconds })
  const verification = await verify(body)
  if (verification.is === 'misused') throw new Error(verification.reason)
  if (verification.is === 'malformed' || verification.is === 'unsigned')
    return { is: 'malformed', reason: verification.reason }
  const ageSeconds = nowSeconds - timestampOf(header)
  const timing = { ageSeconds, isInTolerance: Math.abs(ageSeconds) <= webhookToleranceSeconds }
  if (isValid(verification)) return { is: 'valid', ...timing }
  if (!hasSignature.test(header)) {
    return { is: 'malformed', reason: `The ${signatureHeader} header has no v1 of 64 lower-case hexadecimal digits.` }
  }
  const comparison = await compare(context.database, delivery, async (sent) => isValid(await verify(sent)))
  return { is: 'mismatch', ...timing, reason: verification.reason, comparison }
}

type Valid = Extract<Verification, { readonly is: 'verified' | 'outside_tolerance' | 'not_an_event' }>

function isValid(verification: Verification): verification is Valid {
  switch (verification.is) {
    case 'verified':
    case 'outside_tolerance':
    case 'not_an_event':
      return true
    case 'unsigned':
    case 'malformed':
    case 'mismatch':
    case 'misused':
      return false
  }
}

/**
 * Returns the value of the signature header. The input may be the value alone, or a whole line that starts with the
 * name of the header.
 */
function headerValueOf(header: string): string {
  const name = `${signatureHeader}:`
  return header.toLowerCase().startsWith(name.toLowerCase()) ? header.slice(name.length).trim() : header
}

function timestampOf(header: string): number {
  return Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1])
}

const hasSignature = /(?:^|,)\s*v1=[0-9a-f]{64}\s*(?:,|$)/

async function compare(
  database: Database,
  { merchantId, endpointId, body, eventId = eventIn(body) }: ReadDelivery,
  isSigned: (sent: string) => Promise<boolean>,
): Promise<Comparison> {
  if (eventId === undefined) return { is: 'event_unnamed' }
  const ofEvent = { merchantId, eventId, limit: 1 }
  const [delivered] = await listDeliveries(database, { ...ofEvent, endpointId })
  const delivery = delivered && (await findDelivery(database, { merchantId, id: delivered.id }))
  if (delivery === undefined) {
    const [other] = await listDeliveries(database, ofEvent)
    return other === undefined
      ? { is: 'event_unknown', eventId }
      : { is: 'other_endpoint', eventId, endpointId: other.endpointId }
  }
  const difference = bodyDifference(delivery.body, body)
  if (difference === undefined) return { is: 'same', eventId }
  return { is: 'different', eventId, difference, isSentSigned: await isSigned(delivery.body) }
}

/** Returns the id of the event that a body contains, even if the body is not valid JSON. */
function eventIn(body: string): EventId | undefined {
  return EventId.safeParse(/"id"\s*:\s*"(evt_[0-9a-z]{26})"/.exec(body)?.[1]).data
}
