import { testCarrierCodes, testCarriers } from '../../../registry/service/test-carriers.ts'
import { carriers } from '../../../registry/values/carriers.ts'
import type { CarrierCode } from '../../partners/carriers/carrier.ts'

const names = new Map<string, string>([
  ...testCarrierCodes.map((code) => [code, testCarriers[code].name] as const),
  ...carriers.map(({ code, name }) => [code, name] as const),
])

/** Returns `code` itself for a carrier that this release no longer supports. */
export function carrierNameOf(code: string): string {
  return names.get(code) ?? code
}

/** Whether this release of the service supports the carrier. */
export function isCarrierCode(code: string): code is CarrierCode {
  return names.has(code)
}

/** The codes of all carriers that this release of the service supports. */
export const carrierCodes: readonly string[] = [...names.keys()]
