import { toTimestamp } from '../../clock.ts'
import { calibrateSchedules } from '../../store/calibrations.ts'
import { merchantBatches } from '../../store/merchant-batches.ts'
import type { Context } from '../../store/mutation.ts'
import { deleteOldObservations, listObservedMerchants, observeShipments } from '../../store/observations.ts'
import { rollUpQuantiles } from '../../store/quantiles.ts'
import { rollUpSharedQuantiles } from '../../store/shared-quantiles.ts'
import { tryEach } from '../try-each.ts'
import { priors } from './learnt-times.ts'

/**
 * What the shipments that have ended teach about how long things take, of all merchants. It may be run at any time, and twice.
 * What cannot be rolled up keeps nobody else from being, and nothing from being thrown away that is too old.
 */
export async function learnTimes({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<number> {
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
