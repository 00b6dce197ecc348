import type { CarrierRecord } from '../../store/logistics/carriers/carrier-reliability.ts'

/** Nine in ten, with the weight of ten askings: what a carrier is taken for before it has shown what it is. */
const prior = { kept: 9, failed: 1 } as const

/** The carrier’s record everywhere counts in a zone like ten askings there. */
const elsewhereWeight = 10

/** How likely a carrier is to take and keep a shipment from a zone (design, logistics 3.2). */
export function reliabilityOf(carrier: string, records: readonly CarrierRecord[]): number {
  const record = records.find((known) => known.carrier === carrier)
  const { kept = 0, failed = 0, keptHere = 0, failedHere = 0 } = record ?? {}
  const everywhere = (prior.kept + kept) / (prior.kept + prior.failed + kept + failed)
  return (everywhere * elsewhereWeight + keptHere) / (elsewhereWeight + keptHere + failedHere)
}
