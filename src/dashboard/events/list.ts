import { eventKinds } from '../../../registry/kit/event.ts'
import { eventFeedDays } from '../../../registry/values/limits.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, empty, heading, table, time } from '../../markup/parts.ts'
import { listRecordNames } from '../../store/audit/record-names.ts'
import { listEventRecords } from '../../store/webhooks/event-records.ts'
import { recordWithId } from '../audit/entry-parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { newDraft } from '../kit/draft.ts'
import { filterForm, mainFilterForm, select, textField } from '../kit/form.ts'
import { command, docsLink, link, mainLink, pager, pick } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { sampleRequest } from '../kit/sample-request.ts'
import { timeRangeFields, timeRangeOf } from '../kit/time-range.ts'
import { may, read, type Visit } from '../kit/visit.ts'

const path = '/events'

export const eventList = page({
  path,
  permission: 'events:read',
  show: async (visit) => {
    const query = pick(visit.query, ['event', 'resourceId', 'since', 'until', 'cursor'])
    const { since, until, problems } = timeRangeOf(query)
    const { event, resourceId, cursor } = query
    const request = { event, resourceId, cursor, createdFrom: since ?? undefined, createdTo: until ?? undefined }
    const { data, pagination } = problems.length > 0 ? noEvents : await read(visit, 'listEvents', { query: request })
    const draft = { ...newDraft({ ...query }), problems }
    const inputs = html`${select(draft, { name: 'event', label: 'Event type', choices: [['', 'All'], ...eventKinds.toSorted().map((kind) => [kind, kind] as const)] })}
${textField(draft, { name: 'resourceId', label: 'Record id', type: 'search' })}
${timeRangeFields(draft)}`
    const isFirst = Object.keys(query).length === 0
    const list =
      data.length === 0
        ? none(visit, isFirst)
        : html`${await rows(visit, data)}${pager(path, query, pagination.cursor)}`
    const formOf = data.length === 0 && problems.length === 0 ? filterForm : mainFilterForm
    const filters = data.length === 0 && isFirst ? nothing : formOf(path, draft, inputs)
    const main = html`${heading('Events')}<p>The events of the last ${eventFeedDays} days.</p>${filters}${list}`
    return { title: 'Events', main, isLive: cursor === undefined }
  },
})

type Feed = ReplyOf<'listEvents'>

const noEvents: Pick<Feed, 'data'> & { readonly pagination: Pick<Feed['pagination'], 'cursor'> } = {
  data: [],
  pagination: { cursor: null },
}

async function rows(visit: Visit, events: Feed['data']): Promise<Markup> {
  const { database } = visit.context
  const { merchantId } = visit.tenant
  const ids = events.map(({ id }) => id)
  const records = await listEventRecords(database, merchantId, ids)
  const names = await listRecordNames(database, merchantId, [...records.values()])
  const recordOf = (eventId: string) => {
    const id = records.get(eventId)
    return id === undefined ? nothing : recordWithId(visit, id, names)
  }
  return table('Events', events, [
    { title: 'Event', phone: 'title', cell: ({ id, event }) => link(`${path}/${id}`, event) },
    { title: 'Record', phone: 'detail', cell: ({ id }) => recordOf(id) },
    { title: 'Id', phone: 'hidden', cell: ({ id }) => code(id) },
    { title: 'Time', phone: 'detail', cell: ({ createdAt }) => time(createdAt) },
  ])
}

function none(visit: Visit, isFirst: boolean): Markup {
  if (!isFirst)
    return empty(
      `No event of the last ${eventFeedDays} days matches these filters.`,
      html`<p>${mainLink(path, 'Show all events')}</p>`,
    )
  const example = command(sampleRequest(visit.origin, 'listEvents', { query: '?limit=3' }))
  const next = may(visit, 'orders:write') ? mainLink('/orders/new', 'Create an order') : docsLink
  return empty(
    `There are no events in the last ${eventFeedDays} days. The next order, payment, refund or shipment creates one. Read the event feed with the API:`,
    html`${example}<p>${next}</p>`,
  )
}
