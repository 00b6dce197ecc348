import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import type { Random } from '../../../src/demo/random.ts'

/** The parcels of a round, whose phone numbers select the faults of the simulated carriers. */
interface Parcel {
  readonly phone: string
  readonly carriers: readonly string[]
}

/**
 * Returns the parcels of a round. The first parcel has no fault, so that it can be cancelled. A carrier accepts the
 * second parcel late. The dispatch attempts of the other parcels have random faults. Each carrier in rotation is the
 * first choice for the other parcels.
 */
export function parcelsOf(random: Random, count: number): Parcel[] {
  const [swift, steady, saver] = testCarrierCodes
  const fixed = [
    { phone: `${dispatchPhonePrefix}000`, carriers: [swift, steady, saver] },
    {
      phone: `${dispatchPhonePrefix}900`,
      carriers: random.chance(50) ? [swift, steady, saver] : [steady, swift, saver],
    },
  ]
  const others = Array.from({ length: count - fixed.length }, (_, place) => ({
    phone: dispatchPhonePrefix + [1, 2, 3].map(() => random.pick(digits)).join(''),
    carriers: [0, 1, 2].map((index) => testCarrierCodes[(place + index) % 3] ?? swift),
  }))
  return [...fixed, ...others]
}

/**
 * Digits of a phone number that select the simulated faults. The digit of `never_assigned` is excluded: if the carrier
 * of a shipment with this fault rejects the cancellation, the shipment never reaches a final status.
 */
const digits = [0, 0, 1, 2, 3, 4, 5, 6, 9] as const
