import { type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import type { State } from '../../../registry/values/states.ts'
import type { Capabilities, CarrierCode, Carriers } from '../../partners/carriers/carrier.ts'

export interface CarrierCoverage extends Pick<Capabilities, 'serviceLevels' | 'states'> {
  readonly code: CarrierCode
}

/** Returns the carriers that serve the state of a zone and offer a service level of the zone, in the given order. */
export function carriersServing(
  zone: { readonly state: State; readonly serviceLevels: readonly ServiceLevel[] },
  carriers: readonly CarrierCoverage[],
): CarrierCode[] {
  return carriers
    .filter(({ states }) => states === undefined || states.includes(zone.state))
    .filter((carrier) => carrier.serviceLevels.some((level) => zone.serviceLevels.includes(level)))
    .map(({ code }) => code)
}

/** The simulated carriers, the only carriers of test mode. They serve every state with every service level. */
export const simulatedCoverage: readonly CarrierCoverage[] = testCarrierCodes.map((code) => ({
  code,
  states: undefined,
  serviceLevels,
}))

/**
 * Returns the coverage (states and service levels) of the carriers for which the merchant has an account and this
 * service has an adapter.
 */
export function coverageOf(
  accounts: readonly { readonly carrier: CarrierCode }[],
  carriers: Carriers | undefined,
): readonly CarrierCoverage[] {
  return accounts.flatMap(({ carrier }) => {
    const capabilities = carriers?.get(carrier)?.capabilities
    return capabilities === undefined ? [] : [{ ...capabilities, code: carrier }]
  })
}
