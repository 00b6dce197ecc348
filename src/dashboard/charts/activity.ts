import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, heading, section } from '../../markup/parts.ts'
import {
  countActivityByMonth,
  countDeliveriesByDay,
  countedPerDay,
  countedPerMonth,
} from '../../store/attention/activity.ts'
import { countRequestsByDay } from '../../store/requests/request-counts.ts'
import type { Content } from '../kit/content.ts'
import { link, mainLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { barChart } from './bars.ts'
import { labelOfDay, labelOfMonth } from './labels.ts'

/** The charts of a merchant. Each chart reads its data with one statement of bounded cost. */
export const activityPage = page({
  path: '/activity',
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const [months, deliveries, requests] = await Promise.all([
      monthChart(visit),
      may(visit, 'webhooks:read') ? deliveryChart(visit) : nothing,
      may(visit, 'requests:read') ? requestChart(visit) : nothing,
    ])
    const main = html`${heading('Activity', html`${mainLink('/reports', 'Open the sales reports')}${link('', 'Today')}`)}
${section('Orders and refunds', months)}
${section('Webhook deliveries', deliveries)}
${section('API requests', requests)}`
    return { title: 'Activity', main }
  },
})

async function monthChart({ context, tenant, now }: Visit): Promise<Markup> {
  const months = await countActivityByMonth(context.database, { merchantId: tenant.merchantId, now })
  return barChart({
    title: 'Orders and refunds per month',
    caption: `Orders and refunds created in each of the last twelve months. The orders and the refunds of a month are each counted up to ${count(countedPerMonth)}.`,
    series: [
      { title: 'orders', tone: 'active' },
      { title: 'refunds', tone: 'waiting' },
    ],
    bars: months.map(({ month, orders, refunds }) => ({ label: labelOfMonth(month), values: [orders, refunds] })),
    countedMax: countedPerMonth,
  })
}

async function deliveryChart({ context, tenant, now }: Visit): Promise<Markup> {
  const days = await countDeliveriesByDay(context.database, { merchantId: tenant.merchantId, now })
  return barChart({
    title: 'Webhook deliveries per day',
    caption: `Outcomes of the deliveries of the last 14 days. On each day, only the newest ${count(countedPerDay)} deliveries are counted.`,
    series: [
      { title: 'succeeded', tone: 'good' },
      { title: 'failed', tone: 'bad' },
      { title: 'other', tone: 'quiet' },
    ],
    bars: days.map(({ day, succeeded, failed, other }) => ({
      label: labelOfDay(day),
      values: [succeeded, failed, other],
    })),
  })
}

async function requestChart({ context, tenant, now }: Visit): Promise<Markup> {
  const days = await countRequestsByDay(context.database, { merchantId: tenant.merchantId, now })
  return barChart({
    title: 'API requests per day',
    caption: 'Requests with an API token in the last seven days, and how many of them failed.',
    series: [
      { title: 'requests', tone: 'active' },
      { title: '4xx', tone: 'waiting' },
      { title: '5xx', tone: 'bad' },
    ],
    bars: days.map(({ day, requests, clientErrors, serverErrors }) => ({
      label: labelOfDay(day),
      values: [requests, clientErrors, serverErrors],
    })),
  })
}
