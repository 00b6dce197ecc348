import { type RefundStatus, refundTransitions } from '../../../registry/refunds/refund-states.ts'
import { providerDisplayName } from '../../../registry/values/payment-providers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import {
  badge,
  type Column,
  code,
  count,
  dateTime,
  facts,
  money,
  type RecordActions,
  recordHeading,
  section,
  table,
} from '../../markup/parts.ts'
import { type ListedRefund, listListedRefunds } from '../../store/refunds/listed-refunds.ts'
import type { ReplyOf } from '../kit/call.ts'
import { phoneLinks } from '../kit/contact.ts'
import type { Content } from '../kit/content.ts'
import { button } from '../kit/form.ts'
import { nextNote, restNote } from '../kit/next-note.ts'
import { backLink, link, mainLink, otherLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { variantName } from '../kit/units.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { actorText } from './creator.ts'
import { destinations } from './destination.ts'
import { refundTone } from './tone.ts'

type Refund = ReplyOf<'getRefund'>

export const refundPage = page({
  path: '/refunds/{id}',
  permission: 'refunds:read',
  show: async (visit, { id }): Promise<Content> => {
    const refund = await read(visit, 'getRefund', { params: { id } })
    const { database } = visit.context
    const named = (await listListedRefunds(database, visit.tenant.merchantId, [refund.id])).get(refund.id)
    const title = `Refund of ${refund.orderNumber}`
    const main = html`${backLink('/refunds', 'All refunds')}${recordHeading(title, badge(refund.status, refundTone[refund.status]), actionsOf(visit, refund))}
${nextStep(refund)}
${overview(refund, named)}${refund.items.length === 0 ? nothing : section('Items', itemsOf(refund, named))}`
    return { title, main, isLive: true }
  },
})

function overview(refund: Refund, named: ListedRefund | undefined): Markup {
  const { account, failureCode, failureMessage, createdBy } = refund
  return facts([
    ...(named === undefined ? [] : [['Customer', customerOf(named)] as const]),
    ['Order', link(`/orders/${refund.orderId}`, refund.orderNumber)],
    ['Amount', money(refund.amountKobo)],
    ...(refund.taxKobo === 0 ? [] : [['VAT in the amount', money(refund.taxKobo)] as const]),
    ['Reason', refund.reason.replaceAll('_', ' ')],
    ...(refund.note === null ? [] : [['Internal note', refund.note] as const]),
    ...(refund.status === 'needs_attention' ? [] : [['Paid to', destinationOf(refund)] as const]),
    ...(refund.returnId === null
      ? []
      : [['Return', link(`/returns/${refund.returnId}`, 'The return of the refund')] as const]),
    ...(account === null
      ? []
      : [
          [
            'Bank account',
            html`${code(account.accountNumber)} at ${code(account.bankCode)}, ${account.accountName}`,
          ] as const,
        ]),
    ['Provider', providerDisplayName(refund.provider)],
    ...(refund.providerReference === null ? [] : [['Provider reference', code(refund.providerReference)] as const]),
    ...(failureCode === null ? [] : [['Problem', html`${code(failureCode)} ${failureMessage ?? ''}`] as const]),
    ['Created by', creatorOf(createdBy, named)],
    ['Created', dateTime(refund.createdAt)],
    ['Updated', dateTime(refund.updatedAt)],
    ...(refund.expectedAt === null ? [] : [['Expected', dateTime(refund.expectedAt)] as const]),
    ...(refund.succeededAt === null ? [] : [['Succeeded', dateTime(refund.succeededAt)] as const]),
    ...(refund.failedAt === null ? [] : [['Failed', dateTime(refund.failedAt)] as const]),
    ['Refundable after this refund', money(refund.order.refundableKobo)],
    ['Id', code(refund.id)],
  ])
}

function nextStep({ status, provider }: Refund): Markup {
  const name = providerDisplayName(provider)
  switch (status) {
    case 'needs_attention':
      return nextNote(
        `${name} could not return the money to the original payment method. Ask the customer for a bank account and enter it.`,
      )
    case 'pending':
    case 'processing':
      return restNote(`Nothing to do: ${name} pays the refund.`)
    case 'succeeded':
      return restNote('Nothing to do: the refund was paid.')
    case 'failed':
      return nextNote('The refund was not paid. Open the order to refund it in another way.')
    case 'cancelled':
      return restNote('Nothing to do: the refund was cancelled, so no money is paid.')
  }
}

function destinationOf({ creditedOrderId, destination }: Refund): Markup | string {
  if (creditedOrderId === null) return destinations[destination]
  return html`the order ${link(`/orders/${creditedOrderId}`, code(creditedOrderId))}, as a credit`
}

function creatorOf({ type, id }: Refund['createdBy'], named: ListedRefund | undefined): Markup | string {
  return type === 'system' ? actorText(type) : html`${named?.creator ?? id ?? nothing} <small>${type}</small>`
}

function customerOf({ customerName, customerPhone }: ListedRefund): Markup {
  return html`${customerName}${customerPhone === null ? nothing : html` ${phoneLinks(customerPhone)}`}`
}

const restocked: Column<Refund['items'][number]> = {
  title: 'Restocked',
  cell: ({ restock }) => (restock ? 'yes' : 'no'),
}

/**
 * For a refund of a return, the table does not show whether units are restocked, because they are restocked when the
 * return is received.
 */
function itemsOf({ items, returnId }: Refund, named: ListedRefund | undefined): Markup {
  const titles = new Map(named?.items.map((item) => [item.itemId, variantName(item)]))
  return table('Items', items, [
    { title: 'Item', cell: ({ itemId }) => titles.get(itemId) ?? code(itemId) },
    { title: 'Units', cell: ({ quantity }) => count(quantity), isNumber: true },
    ...(returnId === null ? [restocked] : []),
    { title: 'Share', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
  ])
}

function actionsOf(visit: Visit, { id, status, orderId, orderNumber }: Refund): RecordActions {
  const path = `/orders/${orderId}`
  const open = `Open the order ${orderNumber}`
  const order = status === 'failed' ? mainLink(path, open) : otherLink(path, open)
  if (!may(visit, 'refunds:write')) return { main: order, more: [] }
  const next: readonly RefundStatus[] = refundTransitions[status]
  const cancel = next.includes('cancelled')
    ? button(visit, `/refunds/${id}/cancel`, 'Cancel refund', { isDangerous: true })
    : nothing
  const isStuck = status === 'needs_attention'
  return { main: isStuck ? mainLink(`/refunds/${id}/bank-details`, 'Enter bank details') : order, more: [cancel] }
}
