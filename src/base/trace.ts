import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, tracingChannel } from 'node:diagnostics_channel'

/**
 * Publishes the start and end of each unit of work on diagnostics channels of Node.js, from which the trace export
 * records spans. A channel has a subscriber only if traces are configured; without a subscriber, publishing costs
 * almost nothing. Attributes contain names and ids, never values, addresses, bodies or secrets.
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

/**
 * A webhook event that was committed while the current span was open. The deliveries of the event are recorded in spans
 * of their own.
 */
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
 * Runs work that serves several requests, such as a batch, without the context of the request that happened to start
 * it. The trace and the deadline of that request therefore do not apply to the work.
 */
export const inBackground: <Result>(run: () => Result) => Result = AsyncLocalStorage.snapshot()
