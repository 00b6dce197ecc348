import type { Log } from '../base/log.ts'
import { isContention } from '../store/core/faults.ts'
import type { RotatedPartitions } from '../store/partitions/partitions.ts'

/**
 * Logs the result of rotating the partitions. Throws the error of a failure that would occur again. A lock timeout is
 * not thrown, because the next run retries.
 */
export function reportPartitions(log: Log, { created, dropped, retained, failures }: RotatedPartitions): void {
  if (created.length > 0 || dropped.length > 0) log.info({ created, dropped }, 'Partitions were rotated.')
  if (retained.length > 0)
    log.warn({ retained }, 'Old partitions were not dropped: they contain deliveries that are due, leased or held.')
  for (const { partition, error } of failures) log.warn({ err: error, partition }, 'A partition could not be rotated.')
  const lasting = failures.find(({ error }) => !isContention(error))
  if (lasting !== undefined) throw lasting.error
}
