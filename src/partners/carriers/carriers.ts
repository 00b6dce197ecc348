import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import type { Carrier, CarrierCode } from './carrier.ts'
import { openChowdeck } from './chowdeck.ts'
import { openFez } from './fez.ts'
import { nothingShared, type SharedState } from './shared.ts'
import { openShipbubble } from './shipbubble.ts'

/** The base URL of each carrier's API. */
export type CarrierRoots = Readonly<Record<ConnectableCarrier, string>>

/** Opens the adapters of the carriers with which a merchant can have an account, by carrier code. */
export function openCarriers(
  send: SafeFetch['fetch'],
  roots: CarrierRoots,
  shared: SharedState = nothingShared,
): ReadonlyMap<CarrierCode, Carrier> {
  const carriers = [
    openChowdeck(send, roots.chowdeck),
    openFez(send, roots.fez),
    openShipbubble(send, roots.shipbubble, { shared }),
  ]
  return new Map(carriers.map((carrier) => [carrier.code, carrier]))
}
