import { type Clock, systemClock } from '../../base/clock.ts'
import { abortAfter } from '../../base/deadline.ts'
import { type Meters, noMeters } from '../../base/meters.ts'
import { type TracedWork, traced } from '../../base/trace.ts'
import type { CarrierCode, Outcome, RefusalCode } from '../../partners/carriers/carrier.ts'
import { type CarrierOperation, openAccountPauses, type RequestedCarrier } from './account-pauses.ts'
import { type CircuitBreaker, openCircuitBreaker } from './circuit-breaker.ts'

/**
 * Circuit breakers and account pauses, which keep shipments from waiting for a carrier that fails:
 *
 * - No connection, a timeout or a 5xx response opens the circuit of the carrier, for every account.
 * - 401, 403, 429 or an empty wallet pauses one account (account-pauses.ts).
 * - A broker’s error that concerns one sub-carrier has no effect, because the other sub-carriers work.
 * - A rejection by this service’s own rate limit, or any other 4xx response, has no effect: it is neither a failure nor
 *   a success.
 *
 * Every other refusal shows that the carrier’s servers work.
 */
export interface Breakers {
  /** Calls the carrier with a signal that is aborted after the timeout. The timeout starts with the call. */
  run<Value>(
    requested: RequestedCarrier,
    request: CarrierRequest,
    call: (signal: AbortSignal) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | CircuitOpen>
  /** Returns why a request to the carrier would be rejected now. Undefined if the request may be sent. */
  openFor(requested: RequestedCarrier, operation: CarrierOperation): CircuitOpen | undefined
  /** Returns the circuit breakers that were used so far, for the metrics. */
  circuits(): readonly Circuit[]
}

interface CarrierAndOperation {
  readonly carrier: CarrierCode
  readonly operation: CarrierOperation
}

interface Circuit extends CarrierAndOperation {
  readonly isClosed: boolean
}

export interface CarrierRequest {
  readonly operation: CarrierOperation
  readonly timeoutMs: number
}

export interface CircuitOpen {
  readonly is: 'circuit_open'
  /** Reason why the request to the carrier was not sent, as a text for the merchant. */
  readonly message: string
  /**
   * Code of the carrier's refusal, if a refusal has paused the requests with the merchant's carrier account. Undefined
   * if the requests are paused for another reason.
   */
  readonly code?: RefusalCode
}

const carrierDown: CircuitOpen = {
  is: 'circuit_open',
  message: 'The carrier has not responded, so requests to the carrier are paused.',
}

export function openBreakers(clock: Clock = systemClock, meters: Meters = noMeters): Breakers {
  const { circuitOf, circuits } = openCircuits(clock)
  const pauses = openAccountPauses(clock)
  const pausedFor = (requested: RequestedCarrier, operation: CarrierOperation): CircuitOpen | undefined => {
    const paused = pauses.pausedFor(requested, operation)
    if (paused === undefined) return undefined
    const { message, code } = paused
    return { is: 'circuit_open', message, ...(code === undefined ? {} : { code }) }
  }
  const run: Breakers['run'] = async (requested, { operation, timeoutMs }, call) => {
    // The requests of a paused account are not sent. None of them may be the probe of the circuit breaker, because the
    // requests of all other accounts wait for the result of the probe.
    const paused = pausedFor(requested, operation)
    if (paused !== undefined) return paused
    const circuitCall = circuitOf(requested, operation).begin()
    if (circuitCall === undefined) return carrierDown
    try {
      const outcome = await abortAfter(timeoutMs, call)
      const health = healthOf(outcome)
      if (health === 'fails') circuitCall.fail()
      if (health === 'works') circuitCall.succeed()
      pauses.note(requested, operation, outcome)
      return outcome
    } finally {
      circuitCall.abandon()
    }
  }
  return {
    run: async (requested, request, call) => {
      const startedAt = performance.now()
      const called = { carrier: requested.carrier.code, operation: request.operation }
      const outcome = await traced(
        () => carrierSpan(called),
        () => run(requested, request, call),
      )
      meters.carrierCalled({ ...called, outcome: outcome.is, durationMs: performance.now() - startedAt })
      return outcome
    },
    openFor: (requested, operation) =>
      circuitOf(requested, operation).isOpen() ? carrierDown : pausedFor(requested, operation),
    circuits,
  }
}

/** Each circuit breaker is created when it is first used. */
function openCircuits(clock: Clock) {
  const opened = new Map<string, { readonly requested: CarrierAndOperation; readonly circuit: CircuitBreaker }>()
  return {
    circuitOf: ({ carrier }: RequestedCarrier, operation: CarrierOperation): CircuitBreaker => {
      // The map has at most one circuit breaker per carrier and operation, so it stays small.
      const key = `${carrier.code} ${operation}`
      const requested = { carrier: carrier.code, operation }
      const entry = opened.get(key) ?? { requested, circuit: openCircuitBreaker(clock) }
      opened.set(key, entry)
      return entry.circuit
    },
    circuits: (): readonly Circuit[] =>
      [...opened.values()].map(({ requested, circuit }) => ({ ...requested, isClosed: circuit.isClosed() })),
  }
}

function carrierSpan({ carrier, operation }: CarrierAndOperation): TracedWork<Outcome<unknown> | CircuitOpen> {
  return {
    name: `carrier ${operation}`,
    kind: 'client',
    attributes: { 'commerce.carrier': carrier, 'commerce.carrier_operation': operation },
    endOf: (outcome) => ({
      attributes: { 'commerce.outcome': outcome.is },
      isFailure: outcome.is === 'unavailable' || outcome.is === 'unknown' || outcome.is === 'circuit_open',
    }),
  }
}

/**
 * Returns whether an outcome shows that the carrier’s servers work or fail. Undefined if it shows neither. Timeouts,
 * broken connections, 5xx and undocumented responses show a failure. Two outcomes show neither: a request that was
 * rejected because of its account may not have reached the application servers, and an invalid request may never have
 * been sent.
 */
function healthOf(outcome: Outcome<unknown>): 'works' | 'fails' | undefined {
  switch (outcome.is) {
    case 'ok':
      return 'works'
    case 'refused':
      return outcome.code === 'account_blocked' ? undefined : 'works'
    case 'invalid':
      return undefined
    case 'unavailable':
      if (outcome.isOfSubCarrier === true) return 'works'
      return outcome.isOfAccount === true || outcome.isNeutral === true ? undefined : 'fails'
    case 'unknown':
      return outcome.isNeutral === true ? undefined : 'fails'
  }
}
