import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'

/**
 * Two third-party libraries verify webhook signatures: one library for each of the two signature schemes. The receivers
 * in tests and fault runs verify every delivery with both libraries, so that no test passes with a delivery that a
 * merchant's library would reject.
 */
const secrets = new Map<string, Set<string>>()

/** Every delivery to the URL must be signed with one of the secrets added for this URL. */
export function trustSecret(url: string, secret: string): void {
  secrets.set(url, (secrets.get(url) ?? new Set()).add(secret))
}

/** Disables the verification for a URL that gets forged deliveries on purpose. */
export function expectForgeries(url: string): void {
  secrets.delete(url)
}

export interface Delivered {
  readonly headers: IncomingHttpHeaders
  readonly rawBody: string
}

/** Returns why the signature is invalid, or undefined when it is valid or the URL has no secrets. */
export function findFault(url: string, delivered: Delivered): string | undefined {
  const trusted = secrets.get(url)
  if (trusted === undefined) return undefined
  const faults = [...trusted].map((secret) => faultOf(delivered, secret))
  return faults.includes(undefined) ? undefined : faults.join('; ')
}

function faultOf({ headers, rawBody }: Delivered, secret: string): string | undefined {
  const timestamp = Number(headers['webhook-timestamp'])
  const signature = String(headers['service-signature'])
  try {
    // The signature is verified at the time of its timestamp, because the clock of a test may be days ahead.
    Stripe.webhooks.signature?.verifyHeader(rawBody, signature, secret, 300, undefined, timestamp * 1000)
  } catch (error) {
    return `stripe: ${error instanceof Error ? error.message : error}`
  }
  if (!signature.startsWith(`t=${timestamp},`)) return 'The two signature headers have different timestamps.'
  // The library's verify() uses the machine's clock. Therefore sign() computes the expected signature, which is
  // compared with the signature of the delivery.
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), new Date(timestamp * 1000), rawBody)
  const given = String(headers['webhook-signature']).split(' ')
  return given.includes(expected) ? undefined : 'standardwebhooks: no matching signature.'
}
