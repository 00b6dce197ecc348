import { cancellabilityOf } from '../logistics/cancellability.ts'
import { isCarrierCode } from '../logistics/carrier-names.ts'
import { shipmentRecord } from '../logistics/shipment-record.ts'
import { trackingRecord } from '../logistics/tracking-record.ts'
import type { Capabilities, Carriers } from '../partners/carriers/carrier.ts'
import { findShipment } from '../store/shipments.ts'
import { findTracked } from '../store/tracking.ts'
import { implement } from './implement.ts'

export const getShipment = implement('getShipment', async ({ db, caller, params, carriers, refuse }) => {
  const found = await findShipment(db, { merchantId: caller.merchantId, id: params.id })
  if (found === undefined) return refuse('shipment_not_found', `No shipment ${params.id}.`)
  const { shipment } = found
  const cancellability = cancellabilityOf(shipment, capabilitiesOf(shipment.carrier, carriers))
  return shipmentRecord(found, caller.mode, cancellability)
})

export const trackShipment = implement('trackShipment', async ({ db, caller, params, query, ...rest }) => {
  const { carriers, waiting, refuse } = rest
  const key = { merchantId: caller.merchantId, id: params.id }
  const { since, wait = 0 } = query
  const look = async () => {
    const tracked = await findTracked(db, key)
    if (tracked === undefined) return refuse('shipment_not_found', `No shipment ${params.id}.`)
    return trackingRecord(tracked, capabilitiesOf(tracked.carrier, carriers), waiting.now())
  }
  const first = await look()
  const isKnown = since === first.version || waiting.knows(first)
  // Of what is over nothing new will come.
  if (wait === 0 || !isKnown || first.pollAfterSeconds === 0) return first
  await waiting.watch.wait(key, first, { waitMs: wait * 1000, onGone: waiting.onGone })
  return look()
})

function capabilitiesOf(carrier: string | null, carriers: Carriers | undefined): Capabilities | undefined {
  return carrier !== null && isCarrierCode(carrier) ? carriers?.get(carrier)?.capabilities : undefined
}
