import type { Log } from '../base/log.ts'
import type { RotatedPartitions } from '../store/partitions/partitions.ts'

/** Logs the result of rotating the partitions. */
export function reportPartitions(log: Log, { made, dropped, kept, failures }: RotatedPartitions): void {
  if (made.length > 0 || dropped.length > 0) log.info({ made, dropped }, 'The partitions of webhooks were rotated.')
  if (kept.length > 0)
    log.warn({ kept }, 'Old partitions were not dropped: they contain deliveries that are due, leased or held.')
  for (const { partition, error } of failures) log.warn({ err: error, partition }, 'A partition could not be rotated.')
}
