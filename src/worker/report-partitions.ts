import type { Log } from '../base/log.ts'
import type { RotatedPartitions } from '../store/partitions/partitions.ts'

/** Tells the operator what became of the partitions. */
export function reportPartitions(log: Log, { made, dropped, kept, failures }: RotatedPartitions): void {
  if (made.length > 0 || dropped.length > 0) log.info({ made, dropped }, 'Partitions of webhooks were turned.')
  if (kept.length > 0) log.warn({ kept }, 'Old partitions are kept: they hold deliveries that are due, leased or held.')
  for (const { partition, error } of failures) log.warn({ err: error, partition }, 'A partition was not turned.')
}
