import { buyerLinksOf } from '../../buyer/link.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { dateTime, section } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { shareLink } from '../kit/share-link.ts'
import type { Visit } from '../kit/visit.ts'

export function buyerLinkSection({ service, origin, tenant, nowMs }: Visit, order: ReplyOf<'getOrder'>): Markup {
  const { id: orderId, number, receiptNumber, customer } = order
  const signing = { origin, keys: service.buyerLinkKeys }
  const linked = { merchantId: tenant.merchantId, orderId, receiptNumber }
  const { receiptUrl, trackingUrl, expiresAt } = buyerLinksOf(signing, linked, nowMs)
  const share = (url: string, text: string) => shareLink({ url, text: `${text} ${number}`, phone: customer.phone })
  const receipt = receiptUrl === null ? nothing : share(receiptUrl, 'Receipt for your order')
  const hint = html`<p class="hint">Anyone who has a link can open its page until ${dateTime(expiresAt)}.</p>`
  return section('Links for the buyer', html`${receipt}${share(trackingUrl, 'Track your order')}${hint}`)
}
