import { type SalesGrouping, type SalesTotals, salesGroupings } from '../../../registry/reports/sales.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { type Column, count, empty, facts, heading, money, section, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, select, textField } from '../kit/form.ts'
import { pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { salesChart } from './chart.ts'
import { groupName } from './group-name.ts'

const path = '/reports'
const title = 'Reports'

export const salesReport = page({
  path,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['groupBy', 'from', 'to'])
    const called = await visit.call('getSalesReport', { query })
    if (called.is === 'refused') {
      const draft = filterDraft(query, called.refusal)
      return { title, main: html`${heading(title)}${filtersOf(draft)}${empty(called.refusal.message)}` }
    }
    const { reply } = called
    const draft = filterDraft({ groupBy: reply.groupBy, from: reply.from, to: reply.to }, undefined)
    return { title, main: html`${heading(title)}${filtersOf(draft)}${totals(reply)}${salesChart(reply)}${rows(reply)}` }
  },
})

const groupTitles: Readonly<Record<SalesGrouping, string>> = {
  day: 'Day',
  product: 'Product',
  source: 'Source',
  state: 'State',
}

function filtersOf(draft: Draft): Markup {
  const choices = salesGroupings.map((grouping) => [grouping, groupTitles[grouping]] as const)
  return filterForm(
    path,
    draft,
    html`${select(draft, { name: 'groupBy', label: 'Group by', choices })}
${textField(draft, { name: 'from', label: 'First day', type: 'date' })}
${textField(draft, { name: 'to', label: 'Last day', type: 'date' })}`,
  )
}

/** The figures of the report, in the order of its columns. */
const figures: readonly Column<SalesTotals>[] = [
  { title: 'Orders', cell: ({ orderCount }) => count(orderCount), isNumber: true },
  { title: 'Units', cell: ({ unitCount }) => count(unitCount), isNumber: true },
  { title: 'Gross', cell: ({ grossKobo }) => money(grossKobo), isNumber: true },
  { title: 'Discounts', cell: ({ discountsKobo }) => money(discountsKobo), isNumber: true },
  { title: 'Shipping', cell: ({ shippingKobo }) => money(shippingKobo), isNumber: true },
  { title: 'VAT', cell: ({ taxKobo }) => money(taxKobo), isNumber: true },
  { title: 'Refunds', cell: ({ refundsKobo }) => money(refundsKobo), isNumber: true },
  { title: 'Net', cell: ({ netKobo }) => money(netKobo), isNumber: true },
]

function totals({ totals: sums }: ReplyOf<'getSalesReport'>): Markup {
  return section('Total sales', facts(figures.map((figure) => [figure.title, figure.cell(sums)])))
}

function rows({ groupBy, data }: ReplyOf<'getSalesReport'>): Markup {
  if (data.length === 0) return empty('There are no sales in this range.')
  const caption = `Sales by ${groupBy}`
  return table(caption, data, [{ title: groupTitles[groupBy], cell: (row) => groupName(groupBy, row) }, ...figures])
}
