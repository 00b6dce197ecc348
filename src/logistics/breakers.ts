import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  SamplingBreaker,
} from 'cockatiel'
import type { CarrierCode, Outcome } from '../partners/carriers/carrier.ts'

/**
 * A carrier that is down is not asked for a while, so that a shipment does not wait for it in vain. What it refuses is
 * no sign of that: a refusal is an answer, and tells of its riders, not of its computers.
 */
export interface Breakers {
  run<Value>(
    carrier: CarrierCode,
    operation: CarrierOperation,
    call: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | { readonly is: 'circuit_open' }>
  isOpen(carrier: CarrierCode, operation: CarrierOperation): boolean
}

export type CarrierOperation = 'quote' | 'create' | 'read' | 'cancel'

/** Half of at least eight calls within a minute: fewer say nothing, and more would be as many shipments kept waiting. */
const share = 0.5
const windowMs = 60_000
const leastCalls = 8

/** Long enough for a restart. Then one call tries. */
const pauseMs = 30_000

export function openBreakers(): Breakers {
  const policies = new Map<string, CircuitBreakerPolicy>()
  const policyOf = (carrier: CarrierCode, operation: CarrierOperation) => {
    const key = `${carrier} ${operation}`
    const policy = policies.get(key) ?? newPolicy()
    policies.set(key, policy)
    return policy
  }
  return {
    run: async (carrier, operation, call) => {
      try {
        return await policyOf(carrier, operation).execute(call)
      } catch (error) {
        if (isBrokenCircuitError(error)) return { is: 'circuit_open' }
        throw error
      }
    },
    isOpen: (carrier, operation) => policyOf(carrier, operation).state === CircuitState.Open,
  }
}

function newPolicy(): CircuitBreakerPolicy {
  return circuitBreaker(handleWhenResult(isOutage), {
    breaker: new SamplingBreaker({ threshold: share, duration: windowMs, minimumRps: leastCalls / (windowMs / 1000) }),
    halfOpenAfter: pauseMs,
  })
}

function isOutage(outcome: unknown): boolean {
  const is: unknown = Reflect.get(Object(outcome), 'is')
  return is === 'unknown' || is === 'unavailable'
}
