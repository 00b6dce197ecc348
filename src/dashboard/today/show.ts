import type { Permission } from '../../../registry/values/roles.ts'
import { toTimestamp } from '../../base/clock.ts'
import { html, nothing } from '../../markup/markup.ts'
import { heading, section } from '../../markup/parts.ts'
import { readAttention } from '../../store/attention/attention.ts'
import { readShopDay } from '../../store/attention/shop-day.ts'
import { hasPickup } from '../dispatch/pickup.ts'
import type { Content } from '../kit/content.ts'
import { link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may } from '../kit/visit.ts'
import { nextAction } from './next-action.ts'
import { salesFigures } from './sales.ts'
import { problemNames, sections } from './sections.ts'
import { workSections } from './work.ts'

/**
 * The start page warns about a token from this number of days before its expiry. This is enough time to release an
 * integration with a new token.
 */
const expiringDays = 14
const dayMs = 24 * 60 * 60 * 1000

export const todayPage = page({
  path: '',
  permission: 'notifications:read',
  show: async (visit): Promise<Content> => {
    const { context, tenant, now, nowMs } = visit
    const expiringUntil = toTimestamp(nowMs + expiringDays * dayMs)
    const { merchantId } = tenant
    const seesSales = may(visit, 'orders:read')
    const [attention, day, isReady, sales] = await Promise.all([
      readAttention(context.database, { merchantId, now, expiringUntil }),
      readShopDay(context.database, merchantId),
      hasPickup(visit),
      seesSales ? salesFigures(visit) : nothing,
    ])
    const names = await problemNames(visit, attention)
    const allowed = <Section extends { readonly permission: Permission }>(all: readonly Section[]) =>
      all.filter(({ permission }) => may(visit, permission))
    const problems = allowed(sections).flatMap((section) => section.show(attention, visit, names) ?? [])
    const work = allowed(workSections).flatMap((section) => section.show(day, visit) ?? [])
    const clear = html`<div class="empty"><p>Nothing needs your attention. This page updates itself.</p></div>`
    const links = seesSales ? html`${link('/reports', 'Sales reports')} ${link('/activity', 'Activity')}` : nothing
    const figures = seesSales ? section('Sales', sales, html`<div class="actions">${links}</div>`) : nothing
    const main = html`${heading('Today', nextAction(visit, { day, attention, hasPickup: isReady }))}
${problems.length + work.length === 0 ? clear : nothing}<div id="work">${work}</div><div id="problems">${problems}</div>${figures}`
    return { title: 'Today', main, isLive: true }
  },
})
