import { type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import type { State } from '../../../registry/values/vocabulary.ts'
import {
  type Capabilities,
  type CarrierCode,
  type Carriers,
  simulatedCarrierCodes,
} from '../../partners/carriers/carrier.ts'

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

/** Test mode speaks to simulated carriers and to nobody else; they go everywhere at every speed. */
export const simulatedCoverage: readonly CarrierCoverage[] = simulatedCarrierCodes.map((code) => ({
  code,
  states: undefined,
  serviceLevels,
}))

/** In live mode, those the merchant has an account with and this service can speak to. */
export function coverageOf(
  accounts: readonly { readonly carrier: CarrierCode }[],
  carriers: Carriers | undefined,
): readonly CarrierCoverage[] {
  return accounts.flatMap(({ carrier }) => {
    const capabilities = carriers?.get(carrier)?.capabilities
    return capabilities === undefined ? [] : [{ ...capabilities, code: carrier }]
  })
}
