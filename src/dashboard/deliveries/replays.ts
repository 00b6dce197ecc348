import { BulkReplayId } from '../../../registry/values/vocabulary.ts'
import { cancelReplay } from '../../access/cancel-replay.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, heading, type Tone, table, time } from '../../markup/parts.ts'
import type { BulkReplayStatus } from '../../store/tables/values.ts'
import { listBulkReplays } from '../../store/webhooks/bulk-replays.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Content } from '../kit/content.ts'
import { noFields } from '../kit/fields.ts'
import { button } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { backLink, link, mainLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { endpointChoices } from './table.ts'

/**
 * Maximum number of bulk replays that the page shows, latest first. The number is limited, because all deliveries of a
 * replay must be counted to show its progress.
 */
const shownMax = 10

export const replayList = page({
  path: '/deliveries/replays',
  permission: 'webhooks:read',
  show: (visit) => replayContent(visit),
})

export const cancelReplayAction = action({
  path: '/deliveries/replays/{id}/cancel',
  permission: 'webhooks:write',
  done: 'The replay is cancelled. Its queued deliveries are not sent.',
  question: () => ({ text: 'The queued deliveries of the replay are not sent.', submit: 'Cancel replay' }),
  fields: noFields,
  form: (visit) => replayContent(visit),
  run: async ({ context, actor, tenant }, { id }) => {
    const replayId = BulkReplayId.safeParse(id)
    const outcome = replayId.success
      ? await cancelReplay(context, actor, tenant, replayId.data)
      : { is: 'replay_unknown' as const }
    switch (outcome.is) {
      case 'cancelled':
        return { is: 'done', to: '/deliveries/replays' }
      case 'already_over':
        return { is: 'refused', message: 'The replay has already ended.' }
      case 'replay_unknown':
        throw new PageError(404, 'This bulk replay does not exist.')
    }
  },
})

type Replay = Awaited<ReturnType<typeof listBulkReplays>>[number]

async function replayContent(visit: Visit): Promise<Content> {
  const { merchantId } = visit.tenant
  const replays = await listBulkReplays(visit.context.database, { merchantId, limit: shownMax })
  const start = may(visit, 'webhooks:write') ? mainLink('/deliveries/replay', 'Choose deliveries to replay') : nothing
  const names = new Map(endpointChoices(await listEndpoints(visit.context.database, merchantId)))
  const list =
    replays.length === 0 ? empty('No webhook deliveries have been replayed in bulk yet.') : rows(visit, replays, names)
  return {
    title: 'Bulk replays',
    main: html`${backLink('/deliveries', 'All deliveries')}${heading('Bulk replays', start)}
<p>A bulk replay sends the webhook deliveries of a time range to one endpoint again, for example after a fault of its receiver.</p>${list}`,
    isLive: true,
  }
}

const tones: Readonly<Record<BulkReplayStatus, Tone>> = { running: 'active', done: 'good', cancelled: 'quiet' }

function rows(visit: Visit, replays: readonly Replay[], names: ReadonlyMap<string, string>): Markup {
  return table('Bulk replays', replays, [
    { title: 'Replay', cell: ({ id }) => code(id) },
    { title: 'Status', cell: ({ status }) => badge(status, tones[status]) },
    { title: 'Endpoint', cell: ({ endpointId }) => endpointLink(endpointId, names.get(endpointId)) },
    { title: 'Range', cell: ({ since, until }) => html`${time(since)} – ${time(until)}` },
    { title: 'Statuses', cell: ({ statuses }) => statuses.join(', ') },
    { title: 'Queued', cell: ({ queued }) => count(queued), isNumber: true },
    { title: 'Succeeded', cell: ({ succeeded }) => count(succeeded ?? 0), isNumber: true },
    { title: 'Failed', cell: ({ failed }) => count(failed ?? 0), isNumber: true },
    { title: 'Waiting', cell: ({ waiting }) => count(waiting ?? 0), isNumber: true },
    { title: 'Action', cell: (replay) => cancelButton(visit, replay) },
  ])
}

function endpointLink(id: string, name: string | undefined): Markup {
  return name === undefined ? html`${code(id)} (deleted)` : link(`/webhooks/${id}`, name)
}

function cancelButton(visit: Visit, { id, status }: Replay): Markup {
  if (status !== 'running' || !may(visit, 'webhooks:write')) return nothing
  return button(visit, `/deliveries/replays/${id}/cancel`, 'Cancel replay', { isDangerous: true })
}
