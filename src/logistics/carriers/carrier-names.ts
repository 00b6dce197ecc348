import { testCarriers } from '../../../registry/service/test-carriers.ts'
import type { CarrierCode } from '../../partners/carriers/carrier.ts'

/**
 * Display names of the carriers. The names of test mode's carriers come from the published definitions of the simulated
 * carriers.
 */
const names: Readonly<Record<CarrierCode, string>> = {
  'simulator-swift': testCarriers['simulator-swift'].name,
  'simulator-steady': testCarriers['simulator-steady'].name,
  'simulator-saver': testCarriers['simulator-saver'].name,
  chowdeck: 'Chowdeck Relay',
  fez: 'Fez Delivery',
  shipbubble: 'Shipbubble',
}

/** Returns the display name of a carrier. For a carrier that this release no longer supports, returns its code. */
export function carrierNameOf(code: string): string {
  return isCarrierCode(code) ? names[code] : code
}

/** Whether this release of the service supports the carrier. */
export function isCarrierCode(code: string): code is CarrierCode {
  return Object.hasOwn(names, code)
}
