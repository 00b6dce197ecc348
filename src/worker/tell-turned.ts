import type { Log } from '../log.ts'
import type { TurnedPartitions } from '../store/partitions.ts'

/** Tells the operator what became of the partitions. */
export function tellTurned(log: Log, { made, dropped, failures }: TurnedPartitions): void {
  if (made.length > 0 || dropped.length > 0) log.info({ made, dropped }, 'Partitions of webhooks were turned.')
  for (const { partition, error } of failures) log.warn({ err: error, partition }, 'A partition was not turned.')
}
