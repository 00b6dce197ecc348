import { toTimestamp } from '../../base/clock.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { type Attention, readAttention } from '../../store/attention/attention.ts'
import type { Content } from '../kit/content.ts'
import { link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may } from '../kit/visit.ts'
import { sections } from './sections.ts'

/**
 * Number of days before a token expires from which the start page warns about it: enough time to release an integration
 * with a new token.
 */
const expiringDays = 14
const dayMs = 24 * 60 * 60 * 1000

/** The start page of the dashboard, which shows the conditions that need manual action. */
export const attentionPage = page({
  path: '',
  permission: 'notifications:read',
  show: async (visit): Promise<Content> => {
    const { context, tenant, now, nowMs } = visit
    const expiringUntil = toTimestamp(nowMs + expiringDays * dayMs)
    const attention: Attention = await readAttention(context.database, {
      merchantId: tenant.merchantId,
      now,
      expiringUntil,
    })
    const shown = sections
      .filter(({ permission }) => may(visit, permission))
      .flatMap((section) => section.show(attention, visit) ?? [])
    const clear = html`<div class="empty"><p>Nothing needs your attention. This page updates itself.</p></div>`
    const main = html`${heading('Needs attention', may(visit, 'orders:read') ? link('/activity', 'Activity') : html``)}
${shown.length === 0 ? clear : shown}`
    return { title: 'Needs attention', main, isLive: true }
  },
})
