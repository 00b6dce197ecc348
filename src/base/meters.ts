/**
 * Records measurements for the metrics of a process. Each method takes about a microsecond and never throws. The labels
 * of a metric have few possible values: names from the code, never ids, paths, addresses or text that clients send.
 */
export interface Meters {
  requestStarted(): void
  requestEnded(ended: RequestEnd): void
  /** A request was rejected by a rate limit. `policy` is the name of the limit. */
  rateLimited(policy: string): void
  /** The service closed a new connection at once, because too many connections were open. */
  connectionDropped(): void
  deliveryAttempted(attempted: DeliveryAttempt): void
  jobEnded(ended: JobEnd): void
  carrierCalled(called: CarrierCall): void
  paymentProviderCalled(called: PaymentProviderCall): void
}

export interface RequestEnd {
  /** The id of the operation in the registry, or the name of a group of routes such as `dashboard`. */
  readonly operation: string
  readonly status: number
  readonly durationMs: number
}

export interface DeliveryAttempt {
  readonly outcome: 'succeeded' | 'failed' | 'aborted'
  readonly durationMs: number
  /**
   * Milliseconds from the commit of the event to the moment at which the delivery's first byte was sent. Undefined for
   * retries, replays and attempts that sent nothing.
   */
  readonly latencyMs: number | undefined
}

export interface JobEnd {
  readonly job: string
  readonly outcome: 'succeeded' | 'failed'
  readonly durationMs: number
}

export interface CarrierCall {
  readonly carrier: string
  readonly operation: string
  /**
   * The outcome of the carrier call as the adapter reports it, or `circuit_open` if the open circuit breaker prevented
   * the call.
   */
  readonly outcome: string
  readonly durationMs: number
}

export interface PaymentProviderCall {
  readonly provider: string
  readonly operation: string
  readonly outcome: string
  readonly durationMs: number
}

const nothing = () => undefined

export const noMeters: Meters = {
  requestStarted: nothing,
  requestEnded: nothing,
  rateLimited: nothing,
  connectionDropped: nothing,
  deliveryAttempted: nothing,
  jobEnded: nothing,
  carrierCalled: nothing,
  paymentProviderCalled: nothing,
}
