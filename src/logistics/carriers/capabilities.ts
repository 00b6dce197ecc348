import type { Capabilities, Carriers } from '../../partners/carriers/carrier.ts'
import { isCarrierCode } from './carrier-names.ts'

/** What a carrier can do; undefined of nobody, and of one that is not known here any more. */
export function capabilitiesOf(carrier: string | null, carriers: Carriers | undefined): Capabilities | undefined {
  return carrier !== null && isCarrierCode(carrier) ? carriers?.get(carrier)?.capabilities : undefined
}
