import { onTestFinished } from 'vitest'
import type { AddressPolicy } from '../../src/outbound/address-policy.ts'
import { type OutboundRequest, openSafeFetch, type SafeFetch } from '../../src/outbound/safe-fetch.ts'

/** Receivers on this machine. */
export const local: AddressPolicy = { allowsLoopback: true }
/** As in production. */
export const strict: AddressPolicy = { allowsLoopback: false }

/** Short enough for a test of what never comes at all: nothing may depend on anything else coming within it. */
export const deadlineMs = 300

/** For a test that waits for this deadline and for something that comes before it: a busy process may stand still for half of it. */
export const roomyDeadlineMs = 2_000

/** No test reaches it: of an attempt that ends by what the receiver does, or by a signal. */
export const farDeadlineMs = 50_000

export type Send = (url: string, more?: Partial<OutboundRequest>) => ReturnType<SafeFetch['fetch']>

/** Sends small deliveries, as the engine does. */
export function openOutbound(policy = local, options: Parameters<typeof openSafeFetch>[1] = {}): Send {
  const outbound = openSafeFetch(policy, options)
  onTestFinished(() => outbound.close())
  return (url, more = {}) =>
    outbound.fetch({ url, method: 'POST', headers: {}, body: '{}', isIdempotent: true, ...more })
}
