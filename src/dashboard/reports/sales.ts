import { type SalesGrouping, type SalesRow, type SalesTotals, salesGroupings } from '../../../registry/reports/sales.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { type Column, count, dateText, empty, facts, heading, money, section, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { filterForm, mainFilterForm, select, textField } from '../kit/form.ts'
import { mainLink, pick, withQuery } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { salesChart } from './chart.ts'
import { reportFilePath, reportProducts } from './file.ts'
import { groupName } from './group-name.ts'

const path = '/reports'
const title = 'Reports'

export const salesReport = page({
  path,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['groupBy', 'from', 'to'])
    const called = await visit.call('getSalesReport', { query: { ...query, limit: reportProducts } })
    if (called.is === 'refused') {
      const draft = isReversed(query)
        ? { ...newDraft(query), problems: [reversed] }
        : filterDraft(query, called.refusal)
      return {
        title,
        main: html`${heading(title)}${intro}${filtersOf(draft, true)}${empty('Correct the days to see the report.')}`,
      }
    }
    const { reply } = called
    const draft = filterDraft({ groupBy: reply.groupBy, from: reply.from, to: reply.to }, undefined)
    const { groupBy, from, to } = reply
    const file = mainLink(withQuery(reportFilePath, { groupBy, from, to }), 'Download CSV')
    const main = html`${heading(title, file)}${intro}${filtersOf(draft, false)}${totals(reply)}${salesChart(reply)}${rows(reply)}`
    return { title, main }
  },
})

const intro = html`<p>This page is for reading: it sums the sales of the chosen days. Change the days or the grouping to compare, or download the figures for your accounts.</p>`

const reversed = { field: 'to', message: 'The last day must not be before the first day.' }

function isReversed({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): boolean {
  return from !== undefined && to !== undefined && from > to
}

const groupTitles: Readonly<Record<SalesGrouping, string>> = {
  day: 'Day',
  product: 'Product',
  source: 'Source',
  state: 'State',
}

/** With `isMain`, submitting the form is the main action of the page. */
function filtersOf(draft: Draft, isMain: boolean): Markup {
  const choices = salesGroupings.map((grouping) => [grouping, groupTitles[grouping]] as const)
  const fields = html`${select(draft, { name: 'groupBy', label: 'Group by', choices })}
${textField(draft, { name: 'from', label: 'First day', type: 'date' })}
${textField(draft, { name: 'to', label: 'Last day', type: 'date' })}`
  return isMain ? mainFilterForm(path, draft, fields) : filterForm(path, draft, fields)
}

interface Figure {
  readonly title: string
  readonly of: (totals: SalesTotals) => number
  readonly show: (value: number) => Markup | string
  readonly phone: 'state' | 'labelled'
}

/**
 * The title mentions shipping, because the net sales include shipping. Without discounts and refunds, the net sales are
 * therefore higher than the gross sales.
 */
const netTitle = 'Net with shipping'

/** Figures of the sales report, in the order of its columns. */
const figures: readonly Figure[] = [
  { title: 'Orders', of: ({ orderCount }) => orderCount, show: count, phone: 'labelled' },
  { title: 'Units', of: ({ unitCount }) => unitCount, show: count, phone: 'labelled' },
  { title: 'Gross', of: ({ grossKobo }) => grossKobo, show: money, phone: 'labelled' },
  { title: 'Discounts', of: ({ discountsKobo }) => discountsKobo, show: money, phone: 'labelled' },
  { title: 'Shipping', of: ({ shippingKobo }) => shippingKobo, show: money, phone: 'labelled' },
  { title: 'VAT', of: ({ taxKobo }) => taxKobo, show: money, phone: 'labelled' },
  { title: 'Refunds', of: ({ refundsKobo }) => refundsKobo, show: money, phone: 'labelled' },
  { title: netTitle, of: ({ netKobo }) => netKobo, show: money, phone: 'state' },
]

/** Returns the net sales, and those figures that are not zero in at least one of the given totals. */
function figuresOf(all: readonly SalesTotals[]): Figure[] {
  return figures.filter(({ title, of }) => title === netTitle || all.some((totals) => of(totals) !== 0))
}

/**
 * On the pages of the customers, the amount spent is reduced only by refunds that were paid. This hint states the
 * different rule of the report.
 */
const refundsHint = html`<p class="hint">A refund is in the report from its creation, even before it is paid, unless it fails or is cancelled.</p>`

function totals({ totals: sums }: ReplyOf<'getSalesReport'>): Markup {
  const shown = facts(figuresOf([sums]).map(({ title, of, show }) => [title, show(of(sums))]))
  return section('Total sales', html`${shown}${sums.refundsKobo === 0 ? nothing : refundsHint}`)
}

/** Days without sales and refunds are omitted, because a month may have many of them. */
function rows({ groupBy, data }: ReplyOf<'getSalesReport'>): Markup {
  const sold = groupBy === 'day' ? data.filter((row) => figures.some(({ of }) => of(row) !== 0)) : data
  if (sold.length === 0) return empty('There are no sales in this range.')
  const columns = figuresOf(sold).map(
    ({ title, of, show, phone }): Column<(typeof sold)[number]> => ({
      ...{ title, phone, isNumber: true },
      cell: (row) => show(of(row)),
    }),
  )
  const omitted = sold.length < data.length ? html`<p>Days without sales and refunds are not listed.</p>` : nothing
  const group = { title: groupTitles[groupBy], cell: (row: (typeof sold)[number]) => groupOf(groupBy, row) }
  const limited = groupBy === 'product' && data.length === Number(reportProducts) ? limitHint : nothing
  return html`${table(`Sales by ${groupBy}`, sold, [{ ...group, phone: 'title' }, ...columns])}${omitted}${limited}`
}

const limitHint = html`<p>Only the ${reportProducts} products with the highest gross sales are listed, here and in the file. The total contains all products, and the export of the order items lists all that were sold.</p>`

/** The name of a day contains the year, because a report may contain days of two years. */
function groupOf(groupBy: SalesGrouping, row: SalesRow): Markup | string {
  const name = groupName(groupBy, row)
  return groupBy === 'day' ? html`<time datetime="${name}">${dateText(name)}</time>` : name
}
