import { eventKinds } from '../../../registry/kit/event.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, empty, heading } from '../../markup/parts.ts'
import { deliveryStatuses, listDeliveries } from '../../store/webhooks/delivery-list.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Draft, FieldProblem } from '../kit/draft.ts'
import { newDraft } from '../kit/draft.ts'
import { filterForm, select, textField } from '../kit/form.ts'
import { command, link, mainLink, pager, pick, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { timeRangeFields } from '../kit/time-range.ts'
import { may, type Visit } from '../kit/visit.ts'
import { deliveryFileMax, deliveryFilePath } from './file.ts'
import { filterNames, filterOf } from './filter.ts'
import { deliveryTable, endpointChoices } from './table.ts'

const path = '/deliveries'

/** Number of deliveries per page, the same as in the lists of the API. */
const pageSize = 25

export const deliveryList = page({
  path,
  permission: 'webhooks:read',
  show: async (visit) => {
    const query = pick(visit.query, filterNames)
    const { filter, problems } = filterOf(query)
    const { merchantId } = visit.tenant
    const { database } = visit.context
    const [found, endpoints] = await Promise.all([
      problems.length > 0 ? [] : listDeliveries(database, { merchantId, limit: pageSize + 1, ...filter }),
      listEndpoints(database, merchantId),
    ])
    const shown = found.slice(0, pageSize)
    const next = found.length > pageSize ? (shown.at(-1)?.id ?? null) : null
    const { values } = newDraft({ ...query })
    const { cursor: _cursor, ...filters } = query
    const file = shown.length === 0 ? nothing : link(withQuery(deliveryFilePath, filters), 'Download CSV')
    const list =
      shown.length === 0
        ? none(visit, problems)
        : html`${deliveryTable(shown, endpoints)}${pager(path, query, next)}${fileHint}`
    // A shop without deliveries has nothing to filter or to replay.
    const hasNone = shown.length === 0 && Object.keys(query).length === 0
    const main = hasNone
      ? html`${heading('Deliveries', firstStep(visit, endpoints))}${list}`
      : html`${heading('Deliveries', html`${actions(visit)}${file}`)}${filterFields({ values, problems }, endpoints)}${list}`
    return { title: 'Deliveries', main, isLive: query.cursor === undefined }
  },
})

function filterFields(draft: Draft, endpoints: Awaited<ReturnType<typeof listEndpoints>>): Markup {
  return filterForm(
    path,
    draft,
    html`${select(draft, { name: 'status', label: 'Status', choices: [['', 'All'], ...deliveryStatuses.map((one) => [one, one] as const)] })}
${select(draft, { name: 'kind', label: 'Event type', choices: [['', 'All'], ...eventKinds.toSorted().map((one) => [one, one] as const)] })}
${textField(draft, { name: 'event', label: 'Event id', type: 'search' })}
${select(draft, { name: 'endpoint', label: 'Endpoint', choices: [['', 'All'], ...endpointChoices(endpoints)] })}
${timeRangeFields(draft)}`,
  )
}

const fileHint = html`<p class="hint">The file of “Download CSV” contains the deliveries that match the filters, at most the latest ${count(deliveryFileMax)}.</p>`

function actions(visit: Visit): Markup {
  const replays = link('/deliveries/replays', 'Bulk replays')
  return may(visit, 'webhooks:write')
    ? html`${mainLink('/deliveries/replay', 'Choose deliveries to replay')}${replays}`
    : replays
}

/** Returns the link to create the first endpoint, if the shop has no endpoint and the member may create one. */
function firstStep(visit: Visit, endpoints: readonly unknown[]): Markup {
  return endpoints.length === 0 && may(visit, 'webhooks:write')
    ? mainLink('/webhooks/new', 'Create an endpoint')
    : nothing
}

function none({ query }: Visit, problems: readonly FieldProblem[]): Markup {
  if (problems.length > 0) return empty('Correct the filters to see deliveries.')
  if (Object.keys(query).length > 0) return empty('No delivery matches these filters.')
  return empty(
    'There are no deliveries yet. A delivery appears when an event happens to which an endpoint is subscribed. To receive events on your own machine, run:',
    command('npm run -s commerce -- listen'),
  )
}
