import { z } from 'zod'
import { webhookReplayDays } from '../../../registry/values/limits.ts'
import { BulkReplayId } from '../../../registry/values/vocabulary.ts'
import { cancelReplay } from '../../access/cancel-replay.ts'
import { replaySince } from '../../access/replay-since.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { listBulkReplays } from '../../store/webhooks/bulk-replays.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf, endpointOptions, noEndpoint } from '../kit/endpoint.ts'
import { CommandFailure, notFound, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { idOption, limitOption, merchantOptions, replayableOption, rowsShown, timestampOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

export const webhookReplay = command({
  name: 'webhook replay',
  summary: 'Replay the undelivered events of a time range to an endpoint, with the same ids and bytes.',
  options: z.strictObject({
    ...merchantOptions,
    ...endpointOptions,
    since: timestampOption(`Start of the time range, at most ${webhookReplayDays} days ago.`),
    until: timestampOption('End of the time range. Default: now.').optional(),
    status: replayableOption.optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const endpointId = endpointIdOf(values.endpoint)
      const outcome = await replaySince(context, operator, tenant, {
        endpointId,
        since: normaliseInstant(values.since),
        until: values.until && normaliseInstant(values.until),
        statuses: values.status,
      })
      switch (outcome.is) {
        case 'started': {
          const { id, since, until, statuses } = outcome
          return {
            json: { id, endpointId, status: 'running', since, until, statuses },
            text: `Started replay ${id} of ${statuses.join(' and ')} deliveries from ${since} until ${until}. See its progress with webhook replay-list.`,
          }
        }
        case 'too_far_back':
          throw new UsageError(
            `--since must be within the last ${webhookReplayDays} days: ${outcome.earliest} or later.`,
          )
        case 'range_is_empty':
          throw new UsageError('--since must be in the past, and before --until.')
        case 'no_statuses':
          throw new UsageError('--status must name at least one status.')
        case 'already_running':
          throw new CommandFailure(
            `Replay ${outcome.id} of this endpoint is still running. Wait until it completes, or cancel it with webhook replay-cancel.`,
          )
        case 'endpoint_unknown':
          throw noEndpoint(endpointId)
      }
    }),
})

export const webhookReplayList = command({
  name: 'webhook replay-list',
  summary: 'List a merchant’s bulk replays and their progress, newest first.',
  options: z.strictObject({
    ...merchantOptions,
    endpoint: idOption('Lists only replays to this endpoint.').optional(),
    limit: limitOption,
  }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const limit = values.limit ?? rowsShown
      const endpoint = values.endpoint === undefined ? {} : { endpointId: endpointIdOf(values.endpoint) }
      const rows = (await listBulkReplays(database, { merchantId, limit, ...endpoint })).map((row) => ({ ...row }))
      const columns = ['id', 'endpointId', 'status', 'since', 'until', 'queued', 'succeeded', 'failed', 'waiting']
      return { json: rows, text: table(rows, columns) }
    }),
})

export const webhookReplayCancel = command({
  name: 'webhook replay-cancel',
  summary: 'Cancel a bulk replay. The queued deliveries of the replay are skipped.',
  options: z.strictObject({ ...merchantOptions, replay: idOption('The id of the bulk replay.') }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = BulkReplayId.safeParse(values.replay)
      const outcome = id.success
        ? await cancelReplay(context, operator, tenant, id.data)
        : { is: 'replay_unknown' as const }
      switch (outcome.is) {
        case 'cancelled': {
          const { queued, skipped } = outcome
          return {
            json: { id: values.replay, status: 'cancelled', queued, skipped },
            text: `Cancelled replay ${values.replay}; of its ${queued} queued deliveries, ${skipped} will not be sent.`,
          }
        }
        case 'already_over':
          throw new CommandFailure(`Replay ${values.replay} has already ended.`)
        case 'replay_unknown':
          throw notFound(`bulk replay ${values.replay}`)
      }
    }),
})
