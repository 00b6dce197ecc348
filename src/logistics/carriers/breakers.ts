import { type Clock, systemClock } from '../../base/clock.ts'
import type { Outcome, RefusalCode } from '../../partners/carriers/carrier.ts'
import { type CarrierOperation, openAccountPauses, type RequestedCarrier } from './account-pauses.ts'
import { type CircuitBreaker, openCircuitBreaker } from './circuit-breaker.ts'

/**
 * Who is left alone for a while, so that a shipment does not wait in vain:
 *
 *   no connection, no answer in time, 5xx ──> the carrier, for everybody: its computers are down
 *   401, 403, an empty wallet, 429 ─────────> one account only: others are answered (account-pauses.ts)
 *   a broker’s word on a company behind it ─> nobody: the others behind it are there
 *
 *   this service’s own limit, a 4xx ──────────> nobody: neither a fault nor a proof that its computers work
 *
 * What a carrier refuses otherwise is a sign that its computers work: it tells of its riders.
 */
export interface Breakers {
  /** Calls the carrier with a signal that is aborted after the timeout, which starts with the call. */
  run<Value>(
    asked: RequestedCarrier,
    request: CarrierRequest,
    call: (signal: AbortSignal) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | CircuitOpen>
  /** Undefined where it may be asked. */
  openFor(asked: RequestedCarrier, operation: CarrierOperation): CircuitOpen | undefined
}

export interface CarrierRequest {
  readonly operation: CarrierOperation
  readonly timeoutMs: number
}

export interface CircuitOpen {
  readonly is: 'circuit_open'
  /** Why, for the merchant. */
  readonly message: string
  /** As what the account was declined, where it is left alone for that. */
  readonly code?: RefusalCode
}

const carrierDown: CircuitOpen = {
  is: 'circuit_open',
  message: 'The carrier has not responded, so requests to it are paused.',
}

export function openBreakers(clock: Clock = systemClock): Breakers {
  const circuits = new Map<string, CircuitBreaker>()
  const pauses = openAccountPauses(clock)
  const circuitOf = ({ carrier }: RequestedCarrier, operation: CarrierOperation) => {
    // As many as there are carriers, four times over.
    const key = `${carrier.code} ${operation}`
    const circuit = circuits.get(key) ?? openCircuitBreaker(clock)
    circuits.set(key, circuit)
    return circuit
  }
  const pausedFor = (asked: RequestedCarrier, operation: CarrierOperation): CircuitOpen | undefined => {
    const paused = pauses.pausedFor(asked, operation)
    if (paused === undefined) return undefined
    const { message, code } = paused
    return { is: 'circuit_open', message, ...(code === undefined ? {} : { code }) }
  }
  return {
    run: async (asked, { operation, timeoutMs }, call) => {
      // An account that is paused must not use up the probe that others wait for.
      const paused = pausedFor(asked, operation)
      if (paused !== undefined) return paused
      const begun = circuitOf(asked, operation).begin()
      if (begun === undefined) return carrierDown
      try {
        const outcome = await call(AbortSignal.timeout(timeoutMs))
        const sign = signIn(outcome)
        if (sign === 'fails') begun.fail()
        if (sign === 'works') begun.succeed()
        pauses.note(asked, operation, outcome)
        return outcome
      } finally {
        begun.abandon()
      }
    },
    openFor: (asked, operation) => (circuitOf(asked, operation).isOpen() ? carrierDown : pausedFor(asked, operation)),
  }
}

/**
 * Whether an outcome shows that the carrier's servers work or fail; undefined where it shows neither. Faults are timeouts,
 * broken connections, 5xx and answers that are not what is documented. An account that is turned away may not have got past
 * the door, and an invalid request may never have been sent.
 */
function signIn(outcome: Outcome<unknown>): 'works' | 'fails' | undefined {
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
