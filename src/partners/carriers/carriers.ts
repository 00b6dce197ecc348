import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import type { Carrier, CarrierCode } from './carrier.ts'
import { openChowdeck } from './chowdeck.ts'
import type { ConnectableCarrier } from './credentials.ts'
import { openFez } from './fez.ts'
import { nothingShared, type SharedState } from './shared.ts'
import { openShipbubble } from './shipbubble.ts'

/** Where each carrier’s API begins. */
export type CarrierRoots = Readonly<Record<ConnectableCarrier, string>>

/** The carriers a merchant can have an account with, by their codes. */
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
