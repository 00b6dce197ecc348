import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { Courier, Tracking } from '../../partners/carriers/carrier.ts'
import type { StoredCourier, StoredShipment } from '../../store/tables/shipment.ts'

/** What a carrier’s news changes of a shipment beside its state. */
export type Details = Partial<Pick<StoredShipment, 'courier' | 'deliveryEstimate' | 'capturedProof'>>

/** An arrival put off by less is not worth a new version: estimates are reckoned anew with every look. */
const estimateStepMs = 60_000

/** Of old news only the proofs count, which stay true. */
export function detailsOf(shipment: StoredShipment, { courier, dropoffAt, proof }: Tracking, isOld: boolean): Details {
  const kept = courier === undefined ? shipment.courier : keptCourier(courier)
  const captured = capturedWith(shipment.capturedProof, proof)
  return {
    ...(isOld || isSame(kept, shipment.courier) ? {} : { courier: kept }),
    ...(isOld || dropoffAt === undefined || isNear(shipment.deliveryEstimate, dropoffAt)
      ? {}
      : { deliveryEstimate: { p50: dropoffAt.p50, p90: dropoffAt.p90 } }),
    ...(captured.length === shipment.capturedProof.length ? {} : { capturedProof: captured }),
  }
}

function keptCourier({ name, vehicle, phone, plateLastFour }: Courier): StoredCourier {
  return { name, vehicle: vehicle ?? null, phone: phone ?? null, plateLastFour: plateLastFour ?? null }
}

function isSame(one: StoredCourier | null, other: StoredCourier | null): boolean {
  if (one === null || other === null) return one === other
  const { name, vehicle, phone, plateLastFour } = one
  return (
    name === other.name && vehicle === other.vehicle && phone === other.phone && plateLastFour === other.plateLastFour
  )
}

interface Estimated {
  readonly p50: Timestamp
  readonly p90: Timestamp
}

function isNear(one: Estimated | null, other: Estimated): boolean {
  if (one === null) return false
  const apart = Math.max(Math.abs(toMs(one.p50) - toMs(other.p50)), Math.abs(toMs(one.p90) - toMs(other.p90)))
  return apart < estimateStepMs
}

/** More of one parcel are a fault of the carrier’s, and a record must not grow without end. */
const proofsMax = 20

function capturedWith(kept: StoredShipment['capturedProof'], told: Tracking['proof']): StoredShipment['capturedProof'] {
  const isKnown = ({ type, url }: { type: string; url?: string | null | undefined }) =>
    kept.some((proof) => proof.type === type && proof.url === (url ?? null))
  const added = told.filter((proof) => !isKnown(proof))
  return [...kept, ...added.map(({ type, url, capturedAt }) => ({ type, url: url ?? null, capturedAt }))].slice(
    0,
    Math.max(proofsMax, kept.length),
  )
}
