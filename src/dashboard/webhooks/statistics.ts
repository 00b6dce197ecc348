import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, empty, section, table } from '../../markup/parts.ts'
import {
  countedDeliveriesMax,
  type EndpointStatistics,
  type FailureReason,
} from '../../store/webhooks/endpoint-statistics.ts'
import { errorText } from '../deliveries/attempts.ts'

type Figures = EndpointStatistics['day']

export function statisticsSection(statistics: EndpointStatistics): Markup {
  return section('Attempts, with test events', content(statistics))
}

function content({ day, week, reasons, isLimited }: EndpointStatistics): Markup {
  const figures = rows.flatMap(({ title, show }) => {
    const shown = { title, day: show(day), week: show(week) }
    return shown.week === undefined ? [] : [shown]
  })
  if (figures.length === 0) return empty('No attempt ended in the last 7 days.')
  const limit = html`<p class="hint">Only the attempts of the newest ${count(countedDeliveriesMax)} deliveries are counted.</p>`
  return html`${table('Attempts', figures, [
    { title: 'Figure', cell: ({ title }) => title },
    { title: 'Last 24 hours', cell: (row) => row.day ?? 'none', isNumber: true },
    { title: 'Last 7 days', cell: (row) => row.week ?? 'none', isNumber: true },
  ])}${reasons.length === 0 ? nothing : reasonTable(reasons)}${isLimited ? limit : nothing}`
}

/** `show` returns undefined if the figure has no value in the period. */
const rows: readonly { readonly title: string; readonly show: (figures: Figures) => string | undefined }[] = [
  { title: 'Attempts', show: ({ succeeded, failed }) => countText(succeeded + failed) },
  { title: 'Success rate', show: successRate },
  { title: 'Median response time', show: ({ medianMs }) => durationText(medianMs) },
  { title: '95 % of the responses within', show: ({ p95Ms }) => durationText(p95Ms) },
  { title: 'Attempts that this service interrupted', show: ({ aborted }) => countText(aborted) },
]

function countText(value: number): string | undefined {
  return value === 0 ? undefined : count(value)
}

function durationText(ms: number | null): string | undefined {
  return ms === null ? undefined : `${count(ms)} ms`
}

const perMille = 1000
const perCent = 10

/** The rate is rounded down, so that 100 % means that no attempt failed. */
function successRate({ succeeded, failed }: Figures): string | undefined {
  const attempts = succeeded + failed
  return attempts === 0 ? undefined : `${Math.floor((succeeded * perMille) / attempts) / perCent} %`
}

function reasonTable(reasons: readonly FailureReason[]): Markup {
  return table('Failures by reason', reasons, [
    { title: 'Reason', cell: ({ httpStatus, errorCode }) => reasonText(httpStatus, errorCode) },
    { title: 'Last 24 hours', cell: ({ day }) => countText(day) ?? 'none', isNumber: true },
    { title: 'Last 7 days', cell: ({ week }) => count(week), isNumber: true },
  ])
}

function reasonText(httpStatus: number | null, errorCode: string | null): string {
  const response = httpStatus === null ? '' : `The receiver responded with status ${httpStatus}.`
  return [response, errorCode === null ? '' : errorText(errorCode)].filter((text) => text !== '').join(' ')
}
