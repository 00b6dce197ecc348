import { toTimestamp } from '../../../src/base/clock.ts'
import { newId } from '../../../src/base/ids.ts'
import type { TestApi } from '../api.ts'
import { select } from '../database-contents.ts'

/** Publishes a surge for the delivery zone of the example pickup address. It replaces the current surge of the zone. */
export async function publishSurge(api: TestApi, surgeKobo: number, multiplier = 2): Promise<void> {
  const nowMs = api.clock.nowMs()
  const slotMs = Math.floor(nowMs / 300_000) * 300_000
  await select(api, 'delete from surge_snapshots')
  await select(
    api,
    `insert into surge_snapshots (book, zone_id, id, slot_at, computed_at, published_at, valid_until, multiplier, basis,
       trend, cap, raw, smoothed, reference_fare_kobo, surge_kobo, factors, inputs, sample_size)
     values ('test', 'lag-island', $1, $2, $2, $2, $3, $5, 'observed', 'rising', 2, $5, $5, 180000, $4, '[]', '{}', 40)`,
    [newId('sgs', nowMs), toTimestamp(slotMs), toTimestamp(slotMs + 24 * 3_600_000), surgeKobo, multiplier],
  )
}
