import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { vi } from 'vitest'
import { z } from 'zod'
import type { Received } from '../receiver.ts'

/** Returns the names of those third-party libraries that accept the signature of a delivery with this secret. */
export function acceptedBy({ headers, rawBody }: Received, secret: string, nowMs: number): readonly string[] {
  // The third-party libraries use the system time, from which the clock of a test may differ by days.
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  try {
    const verifiers = {
      stripe: () => Stripe.webhooks.constructEvent(rawBody, z.string().parse(headers['service-signature']), secret),
      standardwebhooks: () =>
        new Webhook(secret).verify(rawBody, {
          'webhook-id': z.string().parse(headers['webhook-id']),
          'webhook-timestamp': z.string().parse(headers['webhook-timestamp']),
          'webhook-signature': z.string().parse(headers['webhook-signature']),
        }),
    }
    return Object.entries(verifiers).flatMap(([name, verify]) => (succeeds(verify) ? [name] : []))
  } finally {
    vi.useRealTimers()
  }
}

export const bothVerifiers = ['stripe', 'standardwebhooks'] as const

function succeeds(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}
