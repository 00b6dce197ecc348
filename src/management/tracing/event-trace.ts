import { createHash } from 'node:crypto'

/**
 * The trace of an event and its deliveries. The ids of the trace are derived from the id of the event. Every process
 * that attempts a delivery can therefore compute them, and no table stores the trace.
 */
export interface EventTrace {
  readonly traceId: string
  readonly spanId: string
}

/** OpenTelemetry's ids of traces and spans have 16 and 8 bytes, written in hexadecimal. */
const traceIdLength = 32
const spanIdLength = 16

export function eventTraceOf(eventId: string): EventTrace {
  const digest = createHash('sha256').update(`trace ${eventId}`).digest('hex')
  return { traceId: digest.slice(0, traceIdLength), spanId: digest.slice(traceIdLength, traceIdLength + spanIdLength) }
}
