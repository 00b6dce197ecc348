import { koboPerNaira } from '../../../registry/values/vocabulary.ts'
import { nairaText } from '../../base/naira.ts'
import { type Markup, nothing } from '../../markup/markup.ts'
import { count } from '../../markup/parts.ts'
import { barChart, type ValueText } from '../charts/bars.ts'
import { labelOfDay } from '../charts/labels.ts'
import { rankChart } from '../charts/ranks.ts'
import type { ReplyOf } from '../kit/call.ts'
import { groupName } from './group-name.ts'

type Report = ReplyOf<'getSalesReport'>

const shortNaira = new Intl.NumberFormat('en-NG', {
  ...{ style: 'currency', currency: 'NGN', notation: 'compact' },
  maximumFractionDigits: 1,
})

const naira: ValueText = { full: nairaText, short: (kobo) => shortNaira.format(kobo / koboPerNaira) }

/** Number of groups that the chart shows. The table below the chart contains all groups. */
const ranksMax = 10

export function salesChart(report: Report): Markup {
  if (report.data.length === 0) return nothing
  return report.groupBy === 'day' ? dayChart(report) : groupChart(report)
}

function dayChart({ data }: Report): Markup {
  return barChart({
    title: 'Sales per day in naira',
    caption: 'Sales of each day in naira: after refunds, with VAT and shipping.',
    series: [
      { title: 'net sales', tone: 'active' },
      { title: 'refunds', tone: 'waiting' },
    ],
    bars: data.map(({ group, netKobo, refundsKobo }) => {
      return { label: labelOfDay(group ?? ''), values: [netKobo, refundsKobo] }
    }),
    valueText: naira,
    hasTable: true,
  })
}

function groupChart({ groupBy, data }: Report): Markup {
  const ranks = data
    .map((row) => ({ name: groupName(groupBy, row), value: row.netKobo }))
    .toSorted((one, other) => other.value - one.value)
    .slice(0, ranksMax)
  const which = data.length > ranksMax ? `the ${count(ranksMax)} groups with the highest sales` : 'each group'
  return rankChart({
    title: `Net sales by ${groupBy} in naira`,
    caption: `Net sales of ${which}, by ${groupBy}, in naira.`,
    ranks,
    valueText: naira,
  })
}
