import { onTestFinished } from 'vitest'
import type { AddressPolicy } from '../../src/outbound/address-policy.ts'
import { type OutboundRequest, openSafeFetch, type SafeFetch } from '../../src/outbound/safe-fetch.ts'

export const local: AddressPolicy = { allowsLoopback: true }
/** The outbound address policy of production. */
export const strict: AddressPolicy = { allowsLoopback: false }

/**
 * Deadline for tests in which the awaited response never arrives. No test may need any other response within this time.
 */
export const deadlineMs = 300

/**
 * Deadline for tests that must get a response in time. It is twice as long as the time for which a busy machine may
 * pause the process.
 */
export const roomyDeadlineMs = 2_000

/** Deadline for delivery attempts that the receiver or a signal ends. No test reaches it. */
export const farDeadlineMs = 50_000

export type Send = (url: string, more?: Partial<OutboundRequest>) => ReturnType<SafeFetch['fetch']>

/** Returns a function that sends small webhook deliveries, as the worker does. */
export function openOutbound(policy = local, options: Parameters<typeof openSafeFetch>[1] = {}): Send {
  const outbound = openSafeFetch(policy, options)
  onTestFinished(() => outbound.close())
  return (url, more = {}) =>
    outbound.fetch({ url, method: 'POST', headers: {}, body: '{}', isIdempotent: true, ...more })
}
