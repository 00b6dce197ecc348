import { testCarriers } from '../../../registry/service/test-carriers.ts'
import type { CarrierCode } from '../../partners/carriers/carrier.ts'

/** Display names of the carriers, the only place that has them; those of test mode are published with its carriers. */
const names: Readonly<Record<CarrierCode, string>> = {
  'simulator-swift': testCarriers['simulator-swift'].name,
  'simulator-steady': testCarriers['simulator-steady'].name,
  'simulator-saver': testCarriers['simulator-saver'].name,
  chowdeck: 'Chowdeck Relay',
  fez: 'Fez Delivery',
  shipbubble: 'Shipbubble',
}

/** Shipments outlive the carriers a release knows. */
export function carrierNameOf(code: string): string {
  return isCarrierCode(code) ? names[code] : code
}

export function isCarrierCode(code: string): code is CarrierCode {
  return Object.hasOwn(names, code)
}
