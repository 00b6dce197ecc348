import { testCarrierCodes, testCarriers } from '../../../registry/service/test-carriers.ts'
import { carriers } from '../../../registry/values/carriers.ts'
import type { CarrierCode } from '../../partners/carriers/carrier.ts'

/** Display names of the carriers. */
const names = new Map<string, string>([
  ...testCarrierCodes.map((code) => [code, testCarriers[code].name] as const),
  ...carriers.map(({ code, name }) => [code, name] as const),
])

/** Returns the display name of a carrier. For a carrier that this release no longer supports, returns its code. */
export function carrierNameOf(code: string): string {
  return names.get(code) ?? code
}

/** Whether this release of the service supports the carrier. */
export function isCarrierCode(code: string): code is CarrierCode {
  return names.has(code)
}

/** The codes of all carriers that this release of the service supports. */
export const carrierCodes: readonly string[] = [...names.keys()]
