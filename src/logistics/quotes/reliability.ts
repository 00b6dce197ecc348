import type { CarrierRecord } from '../../store/logistics/carriers/carrier-reliability.ts'

/** Assumed reliability of a carrier before there are any attempts: nine of ten attempts are fulfilled. */
const prior = { succeeded: 9, failed: 1 } as const

/**
 * Weight of a carrier's overall record when its reliability for one zone is estimated, as a number of dispatch
 * attempts.
 */
const overallWeight = 10

/** Estimates the probability that a carrier accepts and fulfils a shipment from a zone. */
export function reliabilityOf(carrier: string, records: readonly CarrierRecord[]): number {
  const record = records.find((known) => known.carrier === carrier)
  const { succeeded = 0, failed = 0, succeededHere = 0, failedHere = 0 } = record ?? {}
  const everywhere = (prior.succeeded + succeeded) / (prior.succeeded + prior.failed + succeeded + failed)
  return (everywhere * overallWeight + succeededHere) / (overallWeight + succeededHere + failedHere)
}
