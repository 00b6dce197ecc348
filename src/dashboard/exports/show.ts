import { endpoints } from '../../../registry/index.ts'
import { calendarDay } from '../../../registry/values/vocabulary.ts'
import { dayInLagos } from '../../base/calendar.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading, table } from '../../markup/parts.ts'
import { findMerchant } from '../../store/access/merchants.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, type FieldProblem, newDraft } from '../kit/draft.ts'
import { filterForm, textField } from '../kit/form.ts'
import { link, mainLink, otherLink, pick } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import { page } from '../kit/route.ts'
import { tabs } from '../kit/tabs.ts'
import { may, type Visit } from '../kit/visit.ts'
import { exportedRecords, filePath } from './files.ts'
import { type Period, periodsOn } from './periods.ts'

const path = '/exports'
const title = 'Exports'

export const exportPage = page({
  path,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const { database } = visit.context
    const shop = await findMerchant(database, { id: visit.tenant.merchantId })
    const periods = periodsOn(dayInLagos(visit.now), dayInLagos(shop?.createdAt ?? visit.now))
    const { range, period, draft } = chosenRange(visit.query, periods)
    const all = periods.map(({ name, title: text }) => {
      return { title: text, query: { period: name }, count: '', isCurrent: name === period }
    })
    const files = range === undefined ? nothing : fileTable(visit, range)
    const next = range === undefined ? nothing : ordersFile(range)
    const main = html`${heading(title)}
<p>Download the records of your shop as files: CSV for a spreadsheet such as Excel, NDJSON for a program. Choose the days, then download a file.</p>
${tabs('Period', path, all)}${rangeForm(draft)}${next}${files}`
    return { title, main, problems: draft.problems }
  },
})

type Range = Pick<Period, 'from' | 'to'>

interface Chosen {
  /** The first and the last day of the export. Undefined if the days that the member typed are invalid. */
  readonly range: Range | undefined
  /** The name of the chosen period. Undefined for days that the member typed. */
  readonly period: string | undefined
  readonly draft: Draft
}

/** Returns the range of days to export. The URL contains either the name of a period, or the first and the last day. */
function chosenRange(given: Visit['query'], periods: ReturnType<typeof periodsOn>): Chosen {
  const { period, from, to } = pick(given, ['period', 'from', 'to'])
  if (from === undefined && to === undefined) {
    const chosen = periods.find(({ name }) => name === period) ?? periods[0]
    return { range: chosen, period: chosen.name, draft: newDraft({ from: chosen.from, to: chosen.to }) }
  }
  const days = { from: Day.safeParse(from), to: Day.safeParse(to) }
  const problems: FieldProblem[] = Object.entries(days).flatMap(([field, { error }]) =>
    error === undefined ? [] : [{ field, message: 'Enter a day of the calendar, such as 2026-11-21.' }],
  )
  const range = days.from.success && days.to.success ? { from: days.from.data, to: days.to.data } : undefined
  if (range !== undefined && range.from > range.to)
    problems.push({ field: 'to', message: 'The last day must not be before the first day.' })
  const draft = { ...newDraft({ from, to }), problems }
  return { range: problems.length === 0 ? range : undefined, period: undefined, draft }
}

const Day = calendarDay('A day in Lagos time.')

function rangeForm(draft: Draft): Markup {
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'from', label: 'First day', type: 'date' })}
${textField(draft, { name: 'to', label: 'Last day', type: 'date' })}`,
  )
}

function dayText(day: string, dateStyle: 'medium' | 'long'): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle }).format(new Date(`${day}T00:00:00Z`))
}

/** Returns the main action of the page: a link that downloads the orders, the file that most members need. */
function ordersFile({ from, to }: Range): Markup {
  const file = filePath('exportOrders', { from, to, format: 'spreadsheet' })
  return html`<p>${mainLink(file, `Download the orders of ${dayText(from, 'medium')} to ${dayText(to, 'medium')} as CSV`)}</p>`
}

function fileTable(visit: Visit, { from, to }: Range): Markup {
  const allowed = exportedRecords.filter(({ id }) => may(visit, endpoints[id].access))
  const caption = `Records from ${dayText(from, 'long')} to ${dayText(to, 'long')}`
  const files = table(caption, allowed, [
    {
      title: 'Records',
      cell: ({ name, content }) => html`<strong>${name}</strong> <small>${content}</small>`,
      phone: 'title',
    },
    {
      title: 'Spreadsheet',
      phone: 'state',
      cell: ({ id, name }) => otherLink(filePath(id, { from, to, format: 'spreadsheet' }), 'Download CSV', name),
    },
    {
      title: 'For programs',
      phone: 'labelled',
      cell: ({ id, name }) =>
        html`<a href="${root}${filePath(id, { from, to, format: 'ndjson' })}" aria-label="Download NDJSON: ${name}">Download NDJSON</a>`,
    },
  ])
  return html`<h2>${caption}</h2>
<p>Each file contains the records that were created on these days, in Lagos time. The CSV files have amounts in naira and times in Lagos. The audit log records each download. ${link('/reports', 'The sales reports')} show the totals.</p>${files}`
}
