import type { Log } from '../base/log.ts'
import { isContention } from '../store/core/faults.ts'
import type { RotatedPartitions } from '../store/partitions/partitions.ts'

/**
 * Logs the result of rotating the partitions. If the rotation failed, throws the error, except for a lock timeout: the
 * next run then tries again.
 */
export function reportPartitions(log: Log, { created, dropped, retained, failures }: RotatedPartitions): void {
  if (created.length > 0 || dropped.length > 0) log.info({ created, dropped }, 'Partitions were rotated.')
  if (retained.length > 0)
    log.warn({ retained }, 'Old partitions were not dropped: they contain deliveries that are due, leased or held.')
  for (const { partition, error } of failures) log.warn({ err: error, partition }, 'A partition could not be rotated.')
  const lasting = failures.find(({ error }) => !isContention(error))
  if (lasting !== undefined) throw lasting.error
}
