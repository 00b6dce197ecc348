import type { Capabilities, Carriers } from '../../partners/carriers/carrier.ts'
import { isCarrierCode } from './carrier-names.ts'

/** Undefined without a carrier, and for a carrier that this release no longer supports. */
export function capabilitiesOf(carrier: string | null, carriers: Carriers | undefined): Capabilities | undefined {
  return carrier !== null && isCarrierCode(carrier) ? carriers?.get(carrier)?.capabilities : undefined
}
