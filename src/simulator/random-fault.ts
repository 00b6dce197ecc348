import { type DispatchFault, dispatchFaults } from '../../registry/service/test-phones.ts'
import { fractionOf } from './chance.ts'

/** Pseudo-random faults for runs with many orders: the same seed and reference select the same fault. */
export interface RandomFaults {
  readonly seed: string
  /** The proportion of orders that get each fault, from 0 to 1. The sum of all proportions is at most 1. */
  readonly rates: Readonly<Partial<Record<DispatchFault, number>>>
}

export function randomFaultOf(faults: RandomFaults | undefined, reference: string): DispatchFault {
  if (faults === undefined) return 'none'
  let left = fractionOf(faults.seed, 'fault', reference)
  for (const { name } of dispatchFaults) {
    left -= faults.rates[name] ?? 0
    if (left < 0) return name
  }
  return 'none'
}
