import { type Clock, systemClock } from '../clock.ts'
import type { Outcome, RefusalCode } from '../partners/carriers/carrier.ts'
import { type AskedCarrier, type CarrierOperation, openAccountPauses } from './account-pauses.ts'
import { type CircuitBreaker, openCircuitBreaker } from './circuit-breaker.ts'

/**
 * Who is left alone for a while, so that a shipment does not wait in vain:
 *
 *   no connection, no answer in time, 5xx ──> the carrier, for everybody: its computers are down
 *   401, 403, an empty wallet, 429 ─────────> one account only: others are answered (account-pauses.ts)
 *   a broker’s word on a company behind it ─> nobody: the others behind it are there
 *
 * What a carrier refuses otherwise is no sign of either: it tells of its riders, not of its computers.
 */
export interface Breakers {
  /** Calls the carrier with a signal that is aborted after the timeout, which starts with the call. */
  run<Value>(
    asked: AskedCarrier,
    request: CarrierRequest,
    call: (signal: AbortSignal) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | CircuitOpen>
  /** Undefined where it may be asked. */
  openFor(asked: AskedCarrier, operation: CarrierOperation): CircuitOpen | undefined
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
  message: 'It has not been answering, and is left alone for a moment.',
}

export function openBreakers(clock: Clock = systemClock): Breakers {
  const circuits = new Map<string, CircuitBreaker>()
  const pauses = openAccountPauses(clock)
  const circuitOf = ({ carrier }: AskedCarrier, operation: CarrierOperation) => {
    // As many as there are carriers, four times over.
    const key = `${carrier.code} ${operation}`
    const circuit = circuits.get(key) ?? openCircuitBreaker(clock)
    circuits.set(key, circuit)
    return circuit
  }
  const pausedFor = (asked: AskedCarrier, operation: CarrierOperation): CircuitOpen | undefined => {
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
        if (isOutage(outcome)) begun.fail()
        else begun.succeed()
        pauses.note(asked, operation, outcome)
        return outcome
      } finally {
        begun.abandon()
      }
    },
    openFor: (asked, operation) => (circuitOf(asked, operation).isOpen() ? carrierDown : pausedFor(asked, operation)),
  }
}

/** Its computers answered: for an account that asks too often, or for a company behind it that does not. */
const notTheCarriers = ['isOfAccount', 'isOfSubCarrier'] as const satisfies readonly (keyof Unavailable)[]

type Unavailable = Extract<Outcome<never>, { readonly is: 'unavailable' }>

function isOutage(outcome: Outcome<unknown>): boolean {
  if (outcome.is !== 'unavailable') return outcome.is === 'unknown'
  return notTheCarriers.every((mark) => outcome[mark] !== true)
}
