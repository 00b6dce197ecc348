import type { CarrierCode } from '../partners/carriers/carrier.ts'

/** What merchants know the carriers by. */
const names: Readonly<Record<CarrierCode, string>> = {
  'simulator-swift': 'Simulator Swift',
  'simulator-steady': 'Simulator Steady',
  'simulator-saver': 'Simulator Saver',
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
