import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { type EmittedEvent, emittedEvents, type TracedMessage, type TraceParent, tracedWork } from '../../base/trace.ts'
import { type EventTrace, eventTraceOf } from './event-trace.ts'

/**
 * Records the operations that this process publishes on its tracing channels as spans:
 *
 *   trace of a request   POST /api/v1/refunds ─ statements ─ commit        link
 *                                                              ├──────────────────────┐
 *   trace of its event                                         emit order.refunded ─ deliver ─ deliver …
 *
 * An event has a trace of its own, because deliveries may follow for days. Its ids follow from the id of the event.
 */
export interface SpanRecorder {
  readonly tracer: Tracer
  /** The spans that `start` creates get these trace and span ids. */
  withIds<Result>(ids: EventTrace, start: () => Result): Result
  readonly flagsOf: (traceId: string) => TraceFlags
}

const kinds: Readonly<Record<TracedMessage['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Returns a function that unsubscribes from the tracing channels. */
export function recordSpans(recorder: SpanRecorder): () => void {
  const store = new AsyncLocalStorage<Context>()
  const open = new WeakMap<TracedMessage, Span>()
  const start = (message: TracedMessage): Context => {
    const current = store.getStore() ?? ROOT_CONTEXT
    const parent = message.parent === undefined ? current : contextOf(recorder, message.parent)
    if (message.isDetail === true && trace.getSpan(parent) === undefined) return current
    const { name, kind, attributes } = message
    const span = recorder.tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
    open.set(message, span)
    return trace.setSpan(parent, span)
  }
  const end = (message: TracedMessage) => {
    const span = open.get(message)
    if (span === undefined) return
    open.delete(message)
    endSpan(span, message)
  }
  const endMessage = (message: unknown) => end(asWork(message))
  const emit = (message: unknown) =>
    recordEvent(recorder, trace.getSpan(store.getStore() ?? ROOT_CONTEXT), asEvent(message))
  tracedWork.start.bindStore(store, start)
  tracedWork.asyncEnd.subscribe(endMessage)
  emittedEvents.subscribe(emit)
  return () => {
    tracedWork.start.unbindStore(store)
    tracedWork.asyncEnd.unsubscribe(endMessage)
    emittedEvents.unsubscribe(emit)
  }
}

/** The cast of the message is safe, because only traced() publishes on this channel. */
function asWork(message: unknown): TracedMessage {
  return message as TracedMessage
}

/** The type cast of the message is safe, because only traceEvent() publishes messages on this diagnostics channel. */
function asEvent(message: unknown): EmittedEvent {
  return message as EmittedEvent
}

function contextOf(recorder: SpanRecorder, parent: TraceParent): Context {
  const found = parent.is === 'event' ? eventContext(recorder, parent.eventId) : parseTraceParent(parent.value ?? '')
  return found === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true })
}

function eventContext({ flagsOf }: SpanRecorder, eventId: string): SpanContext {
  const ids = eventTraceOf(eventId)
  return { ...ids, traceFlags: flagsOf(ids.traceId) }
}

/**
 * Records the first span of the trace of an event. This span and the span that emitted the event link to each other.
 */
function recordEvent(recorder: SpanRecorder, emitting: Span | undefined, { eventId, kind }: EmittedEvent): void {
  const links = emitting === undefined ? [] : [{ context: emitting.spanContext() }]
  const attributes = { 'commerce.event_id': eventId, 'commerce.event_kind': kind }
  const options = { kind: SpanKind.PRODUCER, root: true, links, attributes }
  const span = recorder.withIds(eventTraceOf(eventId), () =>
    recorder.tracer.startSpan(`emit ${kind}`, options, ROOT_CONTEXT),
  )
  emitting?.addLink({ context: span.spanContext() })
  span.end()
}

function endSpan(span: Span, message: TracedMessage): void {
  if (message.error !== undefined) {
    span.setAttribute('error.type', typeOf(message.error))
    span.setStatus({ code: SpanStatusCode.ERROR })
  } else if (message.endOf !== undefined) {
    const { attributes, isFailure } = message.endOf(message.result)
    span.setAttributes(attributes)
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** The error message is not recorded, because it may contain values. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
