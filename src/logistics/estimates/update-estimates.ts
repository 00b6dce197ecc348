import { toTimestamp } from '../../base/clock.ts'
import { merchantBatches } from '../../store/core/merchant-batches.ts'
import type { Context } from '../../store/core/mutation.ts'
import { calibrateSchedules } from '../../store/logistics/schedule/calibrations.ts'
import {
  deleteOldObservations,
  listObservedMerchants,
  observeShipments,
} from '../../store/logistics/schedule/observations.ts'
import { rollUpQuantiles } from '../../store/logistics/schedule/quantiles.ts'
import { rollUpSharedQuantiles } from '../../store/logistics/schedule/shared-quantiles.ts'
import { tryEach } from '../try-each.ts'
import { priors } from './duration-estimates.ts'

/**
 * What the shipments that have ended teach about how long things take, of all merchants. It may be run at any time, and
 * twice. What cannot be rolled up keeps nobody else from being, and nothing from being thrown away that is too old.
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
      const batches = merchantBatches(await listObservedMerchants(database, now))
      await tryEach([
        ...batches.map((some) => () => rollUpQuantiles(database, some, by)),
        // Of all together, if there was anything new at all.
        ...(batches.length > 0 ? [() => rollUpSharedQuantiles(database, by)] : []),
        ...batches.map((some) => () => calibrateSchedules(database, some, now)),
      ])
    },
    () => deleteOldObservations(database, now),
  ])
  return shipments
}
