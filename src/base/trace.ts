import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, tracingChannel } from 'node:diagnostics_channel'

/**
 * Publishes the work of this process on diagnostic channels of Node.js. A channel has a subscriber only if traces are
 * configured; without one, a call costs almost nothing. Attributes contain names and ids, never values, addresses,
 * bodies or secrets.
 */

export type Attributes = Readonly<Record<string, string | number>>

/** A span of a trace. Its parent is the span in which it runs, or `parent` if set. */
export interface TracedWork<Result = unknown> {
  readonly name: string
  readonly kind: 'server' | 'client' | 'consumer' | 'internal'
  readonly attributes: Attributes
  readonly parent?: TraceParent
  /**
   * Whether the span is recorded only if it has a parent span. Background work runs too many database statements to
   * record a span for each.
   */
  readonly isDetail?: true
  readonly endOf?: (result: Result) => SpanEnd
}

/** A parent span in another process, such as the span of the caller of a request. */
export type TraceParent =
  /** The `traceparent` header of a request (W3C Trace Context); undefined without one. */
  | { readonly is: 'header'; readonly value: string | undefined }
  /** The event that a delivery sends. Another process may have emitted it. */
  | { readonly is: 'event'; readonly eventId: string }

export interface SpanEnd {
  readonly attributes: Attributes
  readonly isFailure: boolean
}

/** A webhook event that was committed within the current span. The deliveries of the event have spans of their own. */
export interface EmittedEvent {
  readonly eventId: string
  readonly kind: string
}

/** The message of a diagnostic channel. Node.js adds the result or the error of the work to the message. */
export type TracedMessage = TracedWork & { readonly result?: unknown; readonly error?: unknown }

export const tracedWork = tracingChannel<unknown, TracedMessage>('commerce.work')
export const emittedEvents = channel('commerce.event')

export function traced<Result>(describe: () => TracedWork<Result>, run: () => Promise<Result>): Promise<Result> {
  if (!tracedWork.hasSubscribers) return run()
  return tracedWork.tracePromise(run, messageOf(describe()))
}

/** Removes the result type of the work, because all messages of a diagnostic channel have the same type. */
function messageOf<Result>(work: TracedWork<Result>): TracedMessage {
  return work as TracedWork
}

export function traceEvent(event: EmittedEvent): void {
  if (emittedEvents.hasSubscribers) emittedEvents.publish(event)
}

/**
 * Runs work for several requests, such as a batch, outside of the request that started it, so that the trace and the
 * deadline of this request do not apply to the work.
 */
export const inBackground: <Result>(run: () => Result) => Result = AsyncLocalStorage.snapshot()
