import { type DispatchFault, dispatchFaults, dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import { type RandomFaults, randomFaultOf } from '../../src/simulator/random-fault.ts'

/**
 * How often the simulated carriers go wrong: one asking in twenty ends with nobody knowing its outcome, in each of the ways
 * in which that happens, and three in a hundred are refused. Carriers that do worse are not used for long.
 */
export const rates = {
  timeout_after_acceptance: 0.014,
  timeout_before_acceptance: 0.012,
  server_error: 0.01,
  malformed_answer: 0.006,
  late_acceptance: 0.008,
  couriers_busy: 0.03,
} as const satisfies RandomFaults['rates']

/** As many askings of a shipment as a telephone number has digits for. */
const attempts = [1, 2, 3] as const

/**
 * The faults of one dispatch, as the recipient’s number that brings them about: the same seed and the same dispatch have
 * the same faults, whoever dispatches.
 */
export function phoneOf(seed: string, dispatch: number): string {
  const digits = attempts.map((attempt) => {
    const fault = randomFaultOf({ seed, rates }, `${dispatch}-${attempt}`)
    return dispatchFaults.find(({ name }) => name === fault)?.digit ?? 0
  })
  return dispatchPhonePrefix + digits.join('')
}

/** Those in which no answer comes, of a first asking and of the same once more. */
export function isHanging(fault: DispatchFault | undefined, isRepeated: boolean): boolean {
  if (fault === 'timeout_after_acceptance') return !isRepeated
  return fault === 'timeout_before_acceptance' || fault === 'late_acceptance'
}
