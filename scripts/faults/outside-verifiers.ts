import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'

/**
 * Two verifiers that were not written here, one for each signature scheme. Every receiver of the tests and the fault runs
 * looks at every delivery with both, so that no test passes on a delivery a merchant's library would refuse.
 */
const secrets = new Map<string, Set<string>>()

/** From now on deliveries to that URL must be signed with this secret, or another one of that URL's. */
export function trustSecret(url: string, secret: string): void {
  secrets.set(url, (secrets.get(url) ?? new Set()).add(secret))
}

/** That URL is sent forgeries on purpose, so nobody judges what comes there. */
export function expectForgeries(url: string): void {
  secrets.delete(url)
}

export interface Delivered {
  readonly headers: IncomingHttpHeaders
  readonly rawBody: string
}

/** Why a delivery does not verify; undefined when it does, or when nobody has an endpoint at that URL. */
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
    // Judged by the clock the signature was made by: a test's may be days ahead.
    Stripe.webhooks.signature?.verifyHeader(rawBody, signature, secret, 300, undefined, timestamp * 1000)
  } catch (error) {
    return `stripe: ${error instanceof Error ? error.message : error}`
  }
  if (!signature.startsWith(`t=${timestamp},`)) return 'The two headers were made at different times.'
  // Its own verify() knows no clock but the machine's, so what it would have signed is compared.
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), new Date(timestamp * 1000), rawBody)
  const given = String(headers['webhook-signature']).split(' ')
  return given.includes(expected) ? undefined : 'standardwebhooks: no signature of it is there.'
}
