import { toTimestamp } from '../../base/clock.ts'
import { tryEach } from '../../base/try-each.ts'
import type { Context } from '../../store/core/mutation.ts'
import { calibrateSchedules } from '../../store/logistics/schedule/calibrations.ts'
import {
  listObservedMerchants,
  observationDeletion,
  observeShipments,
} from '../../store/logistics/schedule/observations.ts'
import { rollUpQuantiles } from '../../store/logistics/schedule/quantiles.ts'
import { rollUpSharedQuantiles } from '../../store/logistics/schedule/shared-quantiles.ts'
import { priors } from './duration-estimates.ts'

/**
 * Updates the duration estimates of all merchants from newly ended shipments: records observations, aggregates
 * quantiles, calibrates predictions and deletes old observations. Repeating the update changes nothing. If a step
 * fails, the other steps still run. Returns the number of newly recorded shipments.
 */
export async function updateEstimates({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<number> {
  const now = toTimestamp(clock.nowMs())
  const by = { now, priors }
  let shipments = 0
  await tryEach([
    async () => {
      shipments = await observeShipments(database, now)
    },
    async () => {
      const merchants = await listObservedMerchants(database, now)
      await tryEach([
        ...merchants.map((merchantId) => () => rollUpQuantiles(database, merchantId, by)),
        // The quantiles that all merchants share are computed again only if there are new observations.
        ...(merchants.length > 0 ? [() => rollUpSharedQuantiles(database, by)] : []),
        ...merchants.map((merchantId) => () => calibrateSchedules(database, merchantId, now)),
      ])
    },
    () => observationDeletion.run(database, { now }),
  ])
  return shipments
}
