import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import { exceptionSections } from '../../../registry/service/exception-state.ts'
import { exchangeWaitDays } from '../../../registry/values/limits.ts'
import type { Permission } from '../../../registry/values/roles.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, money, withWholeNumbers } from '../../markup/parts.ts'
import { messageOf } from '../../notifications/messages.ts'
import type { Attention } from '../../store/attention/attention.ts'
import { button } from '../kit/form.ts'
import { ago, link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { linksOf } from '../notifications/links.ts'
import { messageText, namesOf, type RecordNames } from '../notifications/message-text.ts'
import { resolvePath, resolvePermission } from '../notifications/resolve-path.ts'
import { refundTone } from '../refunds/tone.ts'
import { returnTone } from '../returns/tone.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import { sectionOf } from './section.ts'

/** The sections of the start page for conditions that need manual action. A section without rows is not shown. */

interface Section {
  readonly permission: Permission
  show(attention: Attention, visit: Visit, names: RecordNames): Markup | undefined
}

export const sections: readonly Section[] = [
  { permission: 'logistics:read', show: shipments },
  { permission: 'refunds:read', show: refunds },
  { permission: 'orders:read', show: returns },
  { permission: 'webhooks:read', show: endpoints },
  { permission: 'orders:read', show: payments },
  { permission: 'tokens:read', show: tokens },
  { permission: 'products:read', show: stock },
]

function shipments({ shipments: concern }: Attention, visit: Visit): Markup | undefined {
  const { nowMs } = visit
  const isDispatcher = may(visit, 'logistics:dispatch')
  return sectionOf(concern, {
    title: exceptionSections.shipments,
    all: ['/shipments?exceptions=open', 'All shipments with open problems'],
    columns: [
      {
        title: 'Shipment',
        phone: 'title',
        cell: ({ id, reference, orderNumber, customerName }) =>
          html`${link(`/shipments/${id}`, reference)} <small>${withWholeNumbers([orderNumber, customerName].filter((text) => text !== null).join(', '))}</small>`,
      },
      { title: 'Status', phone: 'state', cell: ({ status }) => shipmentBadge(status) },
      { title: 'Problems', phone: 'detail', cell: ({ codes }) => html`${codes.map((each) => badge(each, 'bad'))}` },
      { title: 'Created', phone: 'detail', cell: ({ createdAt }) => ago(createdAt, nowMs) },
      {
        title: 'Next step',
        phone: 'detail',
        cell: ({ id }) => (isDispatcher ? link(`/shipments/${id}`, 'Solve the problem') : nothing),
      },
    ],
  })
}

export function problemNames(visit: Visit, { payments: { rows } }: Attention): Promise<RecordNames> {
  const { merchantId } = visit.tenant
  return namesOf(
    visit,
    rows.map((row) => messageOf({ ...row, merchantId, endpointId: null })),
  )
}

/** Returns a sentence about the problem of a refund, for a refund without a message from the provider. */
function problemOf(status: RefundStatus): string {
  return status === 'needs_attention'
    ? 'The bank details of the customer are missing.'
    : 'The provider did not pay the refund.'
}

function refundStep(visit: Visit, { id, orderId, status }: Attention['refunds']['rows'][number]): Markup {
  if (!may(visit, 'refunds:write')) return nothing
  return status === 'needs_attention'
    ? link(`/refunds/${id}/bank-details`, 'Enter bank details')
    : link(`/orders/${orderId}`, 'Refund in another way')
}

function refunds({ refunds: concern }: Attention, visit: Visit): Markup | undefined {
  const { nowMs } = visit
  return sectionOf(concern, {
    title: exceptionSections.refunds,
    all: ['/refunds?status=needs_attention,failed', 'All refunds that failed or need bank details'],
    columns: [
      {
        title: 'Refund',
        phone: 'title',
        cell: ({ id, orderNumber, customerName }) =>
          html`${link(`/refunds/${id}`, withWholeNumbers(`Refund of ${orderNumber}`))} <small>${customerName}</small>`,
      },
      { title: 'Amount', phone: 'detail', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
      { title: 'Status', phone: 'state', cell: ({ status }) => badge(status, refundTone[status]) },
      { title: 'Problem', phone: 'detail', cell: ({ status, failureMessage }) => failureMessage ?? problemOf(status) },
      { title: 'Created', phone: 'detail', cell: ({ createdAt }) => ago(createdAt, nowMs) },
      { title: 'Next step', phone: 'detail', cell: (refund) => refundStep(visit, refund) },
    ],
  })
}

function returns({ returns: concern }: Attention, { nowMs }: Visit): Markup | undefined {
  return sectionOf(concern, {
    title: `Exchanged units that have not come back within ${exchangeWaitDays} days`,
    all: ['/returns?status=approved,in_transit', 'All returns that are approved or in transit'],
    columns: [
      {
        title: 'Return',
        phone: 'title',
        cell: ({ id, orderNumber, customerName }) =>
          html`${link(`/returns/${id}`, withWholeNumbers(`Return of ${orderNumber}`))} <small>${customerName}</small>`,
      },
      { title: 'Status', phone: 'state', cell: ({ status }) => badge(status, returnTone[status]) },
      {
        title: 'Exchange',
        phone: 'labelled',
        cell: ({ exchangeOrderId, exchangeNumber }) => link(`/orders/${exchangeOrderId}`, exchangeNumber),
      },
      { title: 'Exchanged', phone: 'labelled', cell: ({ exchangedAt }) => ago(exchangedAt, nowMs) },
    ],
  })
}

function endpoints({ endpoints: concern }: Attention, { nowMs }: Visit): Markup | undefined {
  return sectionOf(concern, {
    title: 'Webhook endpoints with failing deliveries',
    all: ['/webhooks', 'All webhook endpoints'],
    columns: [
      { title: 'Endpoint', phone: 'title', cell: ({ id, url }) => link(`/webhooks/${id}`, code(url)) },
      {
        title: 'State',
        phone: 'state',
        cell: ({ status, disabledAt }) =>
          disabledAt === null ? badge('failing', 'waiting') : html`${badge(status, 'bad')} ${ago(disabledAt, nowMs)}`,
      },
      {
        title: 'Consecutive failures',
        phone: 'labelled',
        // A successful replay to a disabled endpoint sets its failure count to 0. The count is not shown for a disabled
        // endpoint, because a count of 0 would contradict the state `disabled`.
        cell: ({ disabledAt, consecutiveFailures }) => (disabledAt === null ? count(consecutiveFailures) : ''),
        isNumber: true,
      },
    ],
  })
}

function payments({ payments: concern }: Attention, visit: Visit, names: RecordNames): Markup | undefined {
  const { merchantId } = visit.tenant
  const isResolver = may(visit, resolvePermission)
  return sectionOf(concern, {
    title: exceptionSections.payments,
    all: ['/notifications?state=open', 'All open problems'],
    columns: [
      {
        title: 'Problem',
        phone: 'title',
        cell: (row) => messageText(messageOf({ ...row, merchantId, endpointId: null }), names),
      },
      { title: 'Time', phone: 'detail', cell: ({ createdAt }) => ago(createdAt, visit.nowMs) },
      {
        title: 'Next step',
        phone: 'detail',
        cell: (row) => {
          const message = messageOf({ ...row, merchantId, endpointId: null })
          const hidden = { from: 'attention' }
          const resolve = isResolver ? button(visit, resolvePath(row.id), 'Mark as resolved', { hidden }) : nothing
          return html`${linksOf(message)}${resolve}`
        },
      },
    ],
  })
}

function tokens({ tokens: concern }: Attention, { nowMs }: Visit): Markup | undefined {
  return sectionOf(concern, {
    title: 'API tokens that expire within 14 days',
    all: ['/tokens', 'All API tokens'],
    columns: [
      { title: 'Token', phone: 'title', cell: ({ id, name }) => link(`/tokens/${id}`, name) },
      { title: 'Expires', phone: 'labelled', cell: ({ expiresAt }) => ago(expiresAt, nowMs) },
    ],
  })
}

function stock({ stock: concern }: Attention, visit: Visit): Markup | undefined {
  const isRestocker = may(visit, 'inventory:write')
  return sectionOf(concern, {
    title: 'Low stock',
    all: ['/stock?lowStock=true', 'All low stock'],
    columns: [
      {
        title: 'Variant',
        phone: 'title',
        cell: ({ variantId, title, variantTitle }) =>
          html`${link(`/stock/${variantId}`, title)}<small>${variantTitle}</small>`,
      },
      { title: 'SKU', phone: 'detail', cell: ({ sku }) => code(sku) },
      { title: 'Available', phone: 'labelled', cell: ({ available }) => count(available), isNumber: true },
      {
        title: 'Next step',
        phone: 'detail',
        cell: ({ variantId }) => (isRestocker ? link(`/stock/${variantId}/adjust`, 'Restock') : nothing),
      },
    ],
  })
}
