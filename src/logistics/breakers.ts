import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  SamplingBreaker,
} from 'cockatiel'
import { type Clock, systemClock } from '../clock.ts'
import type { Outcome, RefusalCode } from '../partners/carriers/carrier.ts'
import { type AskedCarrier, type CarrierOperation, openAccountPauses } from './account-pauses.ts'

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
  run<Value>(
    asked: AskedCarrier,
    operation: CarrierOperation,
    call: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | CircuitOpen>
  /** Undefined where it may be asked. */
  openFor(asked: AskedCarrier, operation: CarrierOperation): CircuitOpen | undefined
}

export interface CircuitOpen {
  readonly is: 'circuit_open'
  /** Why, for the merchant. */
  readonly message: string
  /** As what the account was declined, where it is left alone for that. */
  readonly code?: RefusalCode
}

/** Half of at least eight calls within a minute: fewer say nothing, and more would be as many shipments kept waiting. */
const share = 0.5
const windowMs = 60_000
const leastCalls = 8

/** Long enough for a restart. Then one call tries. */
const pauseMs = 30_000

const carrierDown: CircuitOpen = {
  is: 'circuit_open',
  message: 'It has not been answering, and is left alone for a moment.',
}

export function openBreakers(clock: Clock = systemClock): Breakers {
  const policies = new Map<string, CircuitBreakerPolicy>()
  const pauses = openAccountPauses(clock)
  const policyOf = ({ carrier }: AskedCarrier, operation: CarrierOperation) => {
    // As many as there are carriers, four times over.
    const key = `${carrier.code} ${operation}`
    const policy = policies.get(key) ?? newPolicy()
    policies.set(key, policy)
    return policy
  }
  const pausedFor = (asked: AskedCarrier, operation: CarrierOperation): CircuitOpen | undefined => {
    const paused = pauses.pausedFor(asked, operation)
    if (paused === undefined) return undefined
    const { message, code } = paused
    return { is: 'circuit_open', message, ...(code === undefined ? {} : { code }) }
  }
  return {
    run: async (asked, operation, call) => {
      const paused = pausedFor(asked, operation)
      if (paused !== undefined) return paused
      try {
        const outcome = await policyOf(asked, operation).execute(call)
        pauses.note(asked, operation, outcome)
        return outcome
      } catch (error) {
        if (isBrokenCircuitError(error)) return carrierDown
        throw error
      }
    },
    openFor: (asked, operation) =>
      policyOf(asked, operation).state === CircuitState.Open ? carrierDown : pausedFor(asked, operation),
  }
}

function newPolicy(): CircuitBreakerPolicy {
  return circuitBreaker(handleWhenResult(isOutage), {
    breaker: new SamplingBreaker({ threshold: share, duration: windowMs, minimumRps: leastCalls / (windowMs / 1000) }),
    halfOpenAfter: pauseMs,
  })
}

/** Its computers answered: for an account that asks too often, or for a company behind it that does not. */
const notTheCarriers = ['isOfAccount', 'isOfSubCarrier'] as const satisfies readonly (keyof Unavailable)[]

type Unavailable = Extract<Outcome<never>, { readonly is: 'unavailable' }>

function isOutage(outcome: unknown): boolean {
  const is: unknown = Reflect.get(Object(outcome), 'is')
  if (is !== 'unavailable') return is === 'unknown'
  return notTheCarriers.every((mark) => Reflect.get(Object(outcome), mark) !== true)
}
