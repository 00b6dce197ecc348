import { beforePickupStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { Permission } from '../../../registry/values/roles.ts'
import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, type Column, count, money } from '../../markup/parts.ts'
import type { ShopDay } from '../../store/attention/shop-day.ts'
import { button } from '../kit/form.ts'
import { ago, lasting, link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { returnTone } from '../returns/tone.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import { sectionOf } from './section.ts'

/**
 * The sections of the start page with the daily work of the shop. Each row shows a record, and links to the next step
 * for this record.
 */

interface WorkSection {
  readonly permission: Permission
  show(day: ShopDay, visit: Visit): Markup | undefined
}

export const workSections: readonly WorkSection[] = [
  { permission: 'orders:read', show: toPack },
  { permission: 'logistics:read', show: toHandOver },
  { permission: 'orders:read', show: unpaid },
  { permission: 'orders:read', show: toApprove },
  { permission: 'orders:read', show: toReceive },
]

function toPack({ toPack: concern }: ShopDay, visit: Visit): Markup | undefined {
  const isDispatcher = may(visit, 'logistics:dispatch')
  return sectionOf(concern, {
    title: 'To pack',
    all: ['/orders?view=to_pack', 'All orders to pack'],
    columns: [
      { title: 'Order', cell: orderOf, phone: 'title' },
      { title: 'Units', cell: ({ units }) => count(units), isNumber: true, phone: 'labelled' },
      { title: 'Area', cell: ({ area }) => area ?? '', phone: 'detail' },
      { title: 'Waiting for', cell: ({ since }) => lasting(since, visit.nowMs), phone: 'labelled' },
      {
        title: 'Next step',
        cell: ({ id }) => (isDispatcher ? link(`/orders/${id}/dispatch`, 'Dispatch') : nothing),
        phone: 'state',
      },
    ],
  })
}

function toHandOver({ toHandOver: concern }: ShopDay, { nowMs }: Visit): Markup | undefined {
  return sectionOf(concern, {
    title: 'To hand over: a rider comes for the parcel',
    all: [`/shipments?status=${beforePickupStatuses.join(',')}`, 'All shipments before the pickup'],
    columns: [
      { title: 'Parcel', cell: parcelOf, phone: 'title' },
      { title: 'Carrier', cell: ({ carrier }) => (carrier === null ? '' : carrierNameOf(carrier)), phone: 'detail' },
      { title: 'Requested', cell: ({ createdAt }) => ago(createdAt, nowMs), phone: 'detail' },
      { title: 'Status', cell: ({ status }) => shipmentBadge(status), phone: 'state' },
      {
        title: 'Next step',
        cell: ({ shipmentId }) => link(`/shipments/${shipmentId}`, 'Open the shipment'),
        phone: 'detail',
      },
    ],
  })
}

export const unpaidPath = '/orders?view=unpaid'

function unpaid({ unpaid: concern }: ShopDay, visit: Visit): Markup | undefined {
  const isSeller = may(visit, 'orders:write')
  return sectionOf(concern, {
    title: 'Unpaid',
    all: [unpaidPath, 'All unpaid orders'],
    columns: [
      { title: 'Order', cell: orderOf, phone: 'title' },
      { title: 'Due', cell: ({ dueKobo }) => money(dueKobo), isNumber: true, phone: 'detail' },
      {
        title: 'Expires',
        cell: ({ expiresAt }) => (expiresAt === null ? 'never' : ago(expiresAt, visit.nowMs)),
        phone: 'labelled',
      },
      {
        title: 'Next step',
        cell: ({ id }) => (isSeller ? link(`/orders/${id}/payment-link`, 'Create a payment link') : nothing),
        phone: 'state',
      },
    ],
  })
}

function toApprove({ toApprove: concern }: ShopDay, visit: Visit): Markup | undefined {
  return sectionOf(concern, {
    title: 'Returns to approve',
    all: ['/returns?status=requested', 'All returns that wait for an approval'],
    columns: returnColumns(visit, ({ id, orderNumber, status, version }) => {
      const hidden = { from: status, to: 'approved', version: String(version) }
      return html`${button(visit, `/returns/${id}/transition`, 'Approve', { hidden, record: orderNumber })} ${link(`/returns/${id}`, 'Check')}`
    }),
  })
}

function toReceive({ toReceive: concern }: ShopDay, visit: Visit): Markup | undefined {
  return sectionOf(concern, {
    title: 'Returns to receive',
    all: ['/returns?status=approved,in_transit', 'All returns that are approved or in transit'],
    columns: returnColumns(visit, ({ id }) => link(`/returns/${id}/receive`, 'Record the receipt')),
  })
}

type WaitingReturn = ShopDay['toReceive']['rows'][number]

function returnColumns(visit: Visit, nextStep: (row: WaitingReturn) => Markup): Column<WaitingReturn>[] {
  const mayWrite = may(visit, 'orders:write')
  return [
    {
      title: 'Return',
      cell: ({ id, orderNumber, customerName }) =>
        html`${link(`/returns/${id}`, orderNumber)} <small>${customerName}</small>`,
      phone: 'title',
    },
    { title: 'Status', cell: ({ status }) => badge(status, returnTone[status]), phone: 'state' },
    { title: 'Created', cell: ({ createdAt }) => ago(createdAt, visit.nowMs), phone: 'detail' },
    { title: 'Next step', cell: (row) => (mayWrite ? nextStep(row) : nothing), phone: 'detail' },
  ]
}

function parcelOf({ id, number, customerName, shipmentId, reference }: ShopDay['toHandOver']['rows'][number]): Markup {
  if (id !== null && number !== null) return orderOf({ id, number, customerName: customerName ?? '' })
  return html`${link(`/shipments/${shipmentId}`, reference)} <small>${customerName ?? ''}</small>`
}

function orderOf({
  id,
  number,
  customerName,
}: {
  readonly id: string
  readonly number: string
  readonly customerName: string
}): Markup {
  return html`${link(`/orders/${id}`, number)} <small>${customerName}</small>`
}
