import type { CarrierRecord } from '../../store/logistics/carriers/carrier-reliability.ts'

/** The assumed record of a carrier without attempts: nine of ten attempts fulfilled. */
const prior = { kept: 9, failed: 1 } as const

/** Weight of the carrier's overall record in its reliability for one zone, in attempts. */
const overallWeight = 10

/** Estimates the probability that a carrier accepts and fulfils a shipment from a zone. */
export function reliabilityOf(carrier: string, records: readonly CarrierRecord[]): number {
  const record = records.find((known) => known.carrier === carrier)
  const { kept = 0, failed = 0, keptHere = 0, failedHere = 0 } = record ?? {}
  const everywhere = (prior.kept + kept) / (prior.kept + prior.failed + kept + failed)
  return (everywhere * overallWeight + keptHere) / (overallWeight + keptHere + failedHere)
}
