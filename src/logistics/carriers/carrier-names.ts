import { testCarriers } from '../../../registry/service/test-carriers.ts'
import type { CarrierCode } from '../../partners/carriers/carrier.ts'

/** Display names of the carriers. Those of test mode are published with the simulated carriers. */
const names: Readonly<Record<CarrierCode, string>> = {
  'simulator-swift': testCarriers['simulator-swift'].name,
  'simulator-steady': testCarriers['simulator-steady'].name,
  'simulator-saver': testCarriers['simulator-saver'].name,
  chowdeck: 'Chowdeck Relay',
  fez: 'Fez Delivery',
  shipbubble: 'Shipbubble',
}

/** Returns the display name of a carrier, or the code of one that this release no longer supports. */
export function carrierNameOf(code: string): string {
  return isCarrierCode(code) ? names[code] : code
}

/** Whether this release supports the carrier. */
export function isCarrierCode(code: string): code is CarrierCode {
  return Object.hasOwn(names, code)
}
