import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, tracingChannel } from 'node:diagnostics_channel'

/**
 * Publishes the work of this process on diagnostic channels of Node.js. Without a subscriber, which is the case unless traces
 * are configured, a call costs a check. Attributes contain names and ids, never values, addresses, bodies or secrets.
 */

export type Attributes = Readonly<Record<string, string | number>>

/** A span of a trace. Its parent is the span in which it runs, unless `parent` says otherwise. */
export interface TracedWork<Result = unknown> {
  readonly name: string
  readonly kind: 'server' | 'client' | 'consumer' | 'internal'
  readonly attributes: Attributes
  readonly parent?: TraceParent
  /** Whether the span is recorded only within another one. Background work runs too many statements to show each. */
  readonly isDetail?: true
  readonly endOf?: (result: Result) => SpanEnd
}

/** The parent of a span that begins in this process. */
export type TraceParent =
  /** The `traceparent` header of a request (W3C Trace Context); undefined without one. */
  | { readonly is: 'header'; readonly value: string | undefined }
  /** The event that a delivery sends. Another process may have emitted it. */
  | { readonly is: 'event'; readonly eventId: string }

export interface SpanEnd {
  readonly attributes: Attributes
  readonly isFailure: boolean
}

/** An event that the current span has committed, and whose deliveries have spans of their own. */
export interface EmittedEvent {
  readonly eventId: string
  readonly kind: string
}

/** The message that the channel adds the result or the error to. */
export type TracedMessage = TracedWork & { readonly result?: unknown; readonly error?: unknown }

export const tracedWork = tracingChannel<unknown, TracedMessage>('commerce.work')
export const emittedEvents = channel('commerce.event')

export function traced<Result>(describe: () => TracedWork<Result>, run: () => Promise<Result>): Promise<Result> {
  if (!tracedWork.hasSubscribers) return run()
  return tracedWork.tracePromise(run, messageOf(describe()))
}

/** Erases the result type: the channel passes the result of the work to the same message. */
function messageOf<Result>(work: TracedWork<Result>): TracedMessage {
  return work as TracedWork
}

export function traceEvent(event: EmittedEvent): void {
  if (emittedEvents.hasSubscribers) emittedEvents.publish(event)
}

/**
 * Runs work that serves several requests, such as a batch, outside of the request that happened to start it: its trace and its
 * deadline do not apply.
 */
export const inBackground: <Result>(run: () => Result) => Result = AsyncLocalStorage.snapshot()
