import { type DispatchFault, dispatchFaults, dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import { type RandomFaults, randomFaultOf } from '../../src/simulator/random-fault.ts'

/**
 * Fault rates of the simulated carriers: 5 % of the dispatch attempts have an unknown outcome, with different causes,
 * and 3 % are rejected. With higher rates, the circuit breaker would exclude the carriers.
 */
export const rates = {
  timeout_after_acceptance: 0.014,
  timeout_before_acceptance: 0.012,
  server_error: 0.01,
  malformed_answer: 0.006,
  late_acceptance: 0.008,
  couriers_busy: 0.03,
} as const satisfies RandomFaults['rates']

/** Numbers, within a dispatch, of the attempts whose faults are encoded in the digits of the phone number. */
const attempts = [1, 2, 3] as const

/**
 * Returns the recipient's phone number that triggers the faults of a dispatch. The faults depend only on the seed and
 * the dispatch, so they are the same for both failovers.
 */
export function phoneOf(seed: string, dispatch: number): string {
  const digits = attempts.map((attempt) => {
    const fault = randomFaultOf({ seed, rates }, `${dispatch}-${attempt}`)
    return dispatchFaults.find(({ name }) => name === fault)?.digit ?? 0
  })
  return dispatchPhonePrefix + digits.join('')
}

/**
 * Reports whether a request to create an order at a carrier gets no response because of a fault. After
 * `timeout_after_acceptance`, a repeated request gets a response.
 */
export function hangs(fault: DispatchFault | undefined, isRepeated: boolean): boolean {
  if (fault === 'timeout_after_acceptance') return !isRepeated
  return fault === 'timeout_before_acceptance' || fault === 'late_acceptance'
}
