import { onTestFinished } from 'vitest'
import type { AddressPolicy } from '../../src/outbound/address-policy.ts'
import { type OutboundRequest, openSafeFetch, type SafeFetch } from '../../src/outbound/safe-fetch.ts'

/** An address policy that allows receivers on this machine. */
export const local: AddressPolicy = { allowsLoopback: true }
/** The address policy of production. */
export const strict: AddressPolicy = { allowsLoopback: false }

/** Deadline for tests in which the awaited data never arrives. No test may need other data within this time. */
export const deadlineMs = 300

/** Deadline for tests that need data before it passes. A busy machine may pause the process for half of it. */
export const roomyDeadlineMs = 2_000

/** Deadline for attempts that the receiver or a signal ends. No test reaches it. */
export const farDeadlineMs = 50_000

export type Send = (url: string, more?: Partial<OutboundRequest>) => ReturnType<SafeFetch['fetch']>

/** Returns a function that sends small deliveries, as the worker does. */
export function openOutbound(policy = local, options: Parameters<typeof openSafeFetch>[1] = {}): Send {
  const outbound = openSafeFetch(policy, options)
  onTestFinished(() => outbound.close())
  return (url, more = {}) =>
    outbound.fetch({ url, method: 'POST', headers: {}, body: '{}', isIdempotent: true, ...more })
}
