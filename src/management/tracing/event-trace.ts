import { createHash } from 'node:crypto'

/**
 * The trace of an event and its deliveries. The ids of the trace are derived from the id of the event. Every process
 * that attempts a delivery can therefore compute them, and no table stores the trace.
 */
export interface EventTrace {
  readonly traceId: string
  readonly spanId: string
}

/** Lengths in hexadecimal digits. In OpenTelemetry, a trace id has 16 bytes and a span id has 8 bytes. */
const traceIdLength = 32
const spanIdLength = 16

export function eventTraceOf(eventId: string): EventTrace {
  const digest = createHash('sha256').update(`trace ${eventId}`).digest('hex')
  return { traceId: digest.slice(0, traceIdLength), spanId: digest.slice(traceIdLength, traceIdLength + spanIdLength) }
}
