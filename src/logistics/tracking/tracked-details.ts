import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { Courier, Tracking } from '../../partners/carriers/carrier.ts'
import type { StoredCourier, StoredShipment } from '../../store/tables/shipment.ts'

export type Details = Partial<Pick<StoredShipment, 'courier' | 'deliveryEstimate' | 'capturedProof'>>

/**
 * Minimum change of a delivery estimate, in milliseconds, that creates a new version of the shipment. Carriers compute
 * estimates again for every poll, so smaller changes are frequent.
 */
const estimateStepMs = 60_000

/** A stale update changes only the proofs of delivery, because a proof does not become outdated. */
export function detailsOf(
  shipment: StoredShipment,
  { courier, dropoffAt, proof }: Tracking,
  isStale: boolean,
): Details {
  const courierNow = courier === undefined ? shipment.courier : storedCourier(courier)
  const captured = capturedWith(shipment.capturedProof, proof)
  return {
    ...(isStale || isSame(courierNow, shipment.courier) ? {} : { courier: courierNow }),
    ...(isStale || dropoffAt === undefined || isNear(shipment.deliveryEstimate, dropoffAt)
      ? {}
      : { deliveryEstimate: { p50: dropoffAt.p50, p90: dropoffAt.p90 } }),
    ...(captured.length === shipment.capturedProof.length ? {} : { capturedProof: captured }),
  }
}

function storedCourier({ name, vehicle, phone, plateLastFour }: Courier): StoredCourier {
  return { name, vehicle: vehicle ?? null, phone: phone ?? null, plateLastFour: plateLastFour ?? null }
}

function isSame(one: StoredCourier | null, other: StoredCourier | null): boolean {
  if (one === null || other === null) return one === other
  const { name, vehicle, phone, plateLastFour } = one
  return (
    name === other.name && vehicle === other.vehicle && phone === other.phone && plateLastFour === other.plateLastFour
  )
}

interface Estimate {
  readonly p50: Timestamp
  readonly p90: Timestamp
}

function isNear(one: Estimate | null, other: Estimate): boolean {
  if (one === null) return false
  const apart = Math.max(Math.abs(toMs(one.p50) - toMs(other.p50)), Math.abs(toMs(one.p90) - toMs(other.p90)))
  return apart < estimateStepMs
}

/**
 * Maximum number of proofs of delivery that are stored for one shipment. A carrier that sends more has made an error,
 * and the size of the stored record must stay limited.
 */
const proofsMax = 20

function capturedWith(
  stored: StoredShipment['capturedProof'],
  reported: Tracking['proof'],
): StoredShipment['capturedProof'] {
  const isKnown = ({ type, url }: { type: string; url?: string | null | undefined }) =>
    stored.some((proof) => proof.type === type && proof.url === (url ?? null))
  const added = reported.filter((proof) => !isKnown(proof))
  return [...stored, ...added.map(({ type, url, capturedAt }) => ({ type, url: url ?? null, capturedAt }))].slice(
    0,
    Math.max(proofsMax, stored.length),
  )
}
