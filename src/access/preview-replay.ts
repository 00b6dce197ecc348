import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs } from '../base/clock.ts'
import { lowestIdAt } from '../base/ids.ts'
import type { Context, Tenant } from '../store/core/mutation.ts'
import { countReplayable, type ReplayCount } from '../store/webhooks/replay-preview.ts'
import { checkReplayRange, type ReplayRequest, replayedStatuses } from './replay-since.ts'

export type PreviewOutcome =
  | ({ readonly is: 'counted'; readonly since: Timestamp; readonly until: Timestamp } & ReplayCount)
  | { readonly is: 'range_is_empty' | 'no_statuses' }
  | { readonly is: 'too_far_back'; readonly earliest: Timestamp }

/** Counts the deliveries that a bulk replay would send now, and changes nothing. */
export async function previewReplay(
  { database, clock }: Context,
  { merchantId }: Tenant,
  request: ReplayRequest,
): Promise<PreviewOutcome> {
  const statuses = replayedStatuses(request.statuses)
  if (statuses.length === 0) return { is: 'no_statuses' }
  const range = checkReplayRange(request, clock.nowMs())
  if (range.is !== 'range') return range
  const { since, until } = range
  const ids = { fromId: lowestIdAt('dlv', toMs(since)), beforeId: lowestIdAt('dlv', toMs(until)) }
  const counted = await countReplayable(database, { merchantId, endpointId: request.endpointId, statuses, ...ids })
  return { is: 'counted', since, until, ...counted }
}
