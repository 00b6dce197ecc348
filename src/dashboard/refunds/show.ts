import { type RefundStatus, refundTransitions } from '../../../registry/refunds/refund-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, facts, heading, money, section, table, time } from '../../markup/parts.ts'
import { findActorName } from '../../store/access/actor-name.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { button } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { destinations } from './destination.ts'
import { refundTone } from './tone.ts'

type Refund = ReplyOf<'getRefund'>

export const refundPage = page({
  path: '/refunds/{id}',
  permission: 'refunds:read',
  show: async (visit, { id }): Promise<Content> => {
    const refund = await read(visit, 'getRefund', { params: { id } })
    const { id: creatorId } = refund.createdBy
    const { merchantId } = visit.tenant
    const creator =
      creatorId === null ? undefined : await findActorName(visit.context.database, { merchantId, id: creatorId })
    const title = `Refund of ${refund.orderNumber}`
    const main = html`${heading(title, html`${badge(refund.status, refundTone[refund.status])} ${actionsOf(visit, refund)}`)}
${overview(refund, creator)}${section('Items', itemsOf(refund.items))}`
    return { title, main, isLive: true }
  },
})

/** `creator` is the name of the token or member that created the refund. */
function overview(refund: Refund, creator: string | undefined): Markup {
  const { account, failureCode, failureMessage, createdBy } = refund
  const orNone = (text: string | null) => (text === null ? 'none' : code(text))
  return facts([
    ['Id', code(refund.id)],
    ['Order', link(`/orders/${refund.orderId}`, refund.orderNumber)],
    ['Amount', money(refund.amountKobo)],
    ['VAT in the amount', money(refund.taxKobo)],
    ['Reason', refund.reason.replaceAll('_', ' ')],
    ['Internal note', refund.note ?? 'none'],
    ['Paid to', destinationOf(refund)],
    ...(refund.returnId === null
      ? []
      : [['Return', link(`/returns/${refund.returnId}`, code(refund.returnId))] as const]),
    ...(account === null
      ? []
      : [
          [
            'Bank account',
            html`${code(account.accountNumber)} at ${code(account.bankCode)}, ${account.accountName}`,
          ] as const,
        ]),
    ['Provider', refund.provider],
    ['Provider reference', orNone(refund.providerReference)],
    ...(failureCode === null ? [] : [['Problem', html`${code(failureCode)} ${failureMessage ?? ''}`] as const]),
    ['Created by', html`${creator ?? createdBy.id ?? nothing} <small>${createdBy.type}</small>`],
    ['Created', time(refund.createdAt)],
    ['Updated', time(refund.updatedAt)],
    ...(refund.expectedAt === null ? [] : [['Expected', time(refund.expectedAt)] as const]),
    ...(refund.succeededAt === null ? [] : [['Succeeded', time(refund.succeededAt)] as const]),
    ...(refund.failedAt === null ? [] : [['Failed', time(refund.failedAt)] as const]),
    ['Refundable after this refund', money(refund.order.refundableKobo)],
  ])
}

function destinationOf({ creditedOrderId, destination }: Refund): Markup | string {
  if (creditedOrderId === null) return destinations[destination]
  return html`the order ${link(`/orders/${creditedOrderId}`, code(creditedOrderId))}, as a credit`
}

function itemsOf(items: Refund['items']): Markup {
  if (items.length === 0) return empty('The refund returns an amount and names no items.')
  return table('Items', items, [
    { title: 'Item', cell: ({ itemId }) => code(itemId) },
    { title: 'Units', cell: ({ quantity }) => count(quantity), isNumber: true },
    { title: 'Restocked', cell: ({ restock }) => (restock ? 'yes' : 'no') },
    { title: 'Share', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
  ])
}

function actionsOf(visit: Visit, { id, status }: Refund): Markup {
  if (!may(visit, 'refunds:write')) return nothing
  const next: readonly RefundStatus[] = refundTransitions[status]
  const cancel = next.includes('cancelled')
    ? button(visit, `/refunds/${id}/cancel`, 'Cancel refund', { isDangerous: true })
    : nothing
  const details = status === 'needs_attention' ? link(`/refunds/${id}/bank-details`, 'Enter bank details') : nothing
  return html`${details} ${cancel}`
}
