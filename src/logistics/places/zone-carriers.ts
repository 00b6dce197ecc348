import { type ServiceLevel, serviceLevels } from '../../../registry/shipment-states.ts'
import type { State } from '../../../registry/vocabulary.ts'
import { type Capabilities, type CarrierCode, simulatedCarrierCodes } from '../../partners/carriers/carrier.ts'

/** What a carrier says of where and how fast it carries. */
export interface CarrierCoverage extends Pick<Capabilities, 'serviceLevels' | 'states'> {
  readonly code: CarrierCode
}

/** The carriers that come to a zone and are as fast there as the zone allows, in the order given. */
export function carriersServing(
  zone: { readonly state: State; readonly serviceLevels: readonly ServiceLevel[] },
  carriers: readonly CarrierCoverage[],
): CarrierCode[] {
  return carriers
    .filter(({ states }) => states === undefined || states.includes(zone.state))
    .filter((carrier) => carrier.serviceLevels.some((level) => zone.serviceLevels.includes(level)))
    .map(({ code }) => code)
}

/**
 * Test mode speaks to simulated carriers, which go everywhere at every speed; in live mode it depends on the merchant’s own
 * accounts, which the list of zones does not tell.
 */
export function coverageIn(mode: 'live' | 'test'): readonly CarrierCoverage[] {
  if (mode === 'live') return []
  return simulatedCarrierCodes.map((code) => ({ code, states: undefined, serviceLevels }))
}
