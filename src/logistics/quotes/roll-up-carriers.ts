import { toTimestamp } from '../../base/clock.ts'
import { tryEach } from '../../base/try-each.ts'
import type { Context } from '../../store/core/mutation.ts'
import { rollUpAssignmentTimes } from '../../store/logistics/carriers/assignment-times.ts'
import { rollUpCarrierRecords } from '../../store/logistics/carriers/carrier-reliability.ts'

/**
 * Recomputes the reliability and the rider assignment times of all carriers from their dispatch attempts. Repeating the
 * computation changes nothing.
 */
export async function rollUpCarriers({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<void> {
  const now = toTimestamp(clock.nowMs())
  await tryEach([() => rollUpCarrierRecords(database, now), () => rollUpAssignmentTimes(database, now)])
}
