import { toTimestamp } from '../../clock.ts'
import { calibrateSchedules } from '../../store/calibrations.ts'
import type { Context } from '../../store/mutation.ts'
import { deleteOldObservations, listObservedMerchants, observeShipments } from '../../store/observations.ts'
import { rollUpQuantiles } from '../../store/quantiles.ts'
import { priors } from './learnt-times.ts'

/** What the shipments that have ended teach about how long things take, of all merchants. It may be run at any time, and twice. */
export async function learnTimes({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<number> {
  const now = toTimestamp(clock.nowMs())
  const shipments = await observeShipments(database, now)
  const merchantIds = await listObservedMerchants(database, now)
  await rollUpQuantiles(database, merchantIds, { now, priors })
  await calibrateSchedules(database, merchantIds, now)
  await deleteOldObservations(database, now)
  return shipments
}
