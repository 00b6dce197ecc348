import { providerDisplayName } from '../../../registry/values/payment-providers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, dateTime, empty, money, table } from '../../markup/parts.ts'
import type { HistoryEntry } from '../../store/orders/order-history.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import { namedUnits, unitsText } from '../kit/units.ts'
import { may, type Visit } from '../kit/visit.ts'
import { refundTone } from '../refunds/tone.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import type { CashCarriers } from './cash-carriers.ts'
import { recordedBy } from './timeline.ts'

export function paymentTable(
  visit: Visit,
  payments: ReplyOf<'listPayments'>['data'],
  { history, carriers }: { readonly history: readonly HistoryEntry[]; readonly carriers: CashCarriers },
): Markup {
  if (payments.length === 0) return empty('No payment has been recorded yet.')
  return table('Payments', payments, [
    { title: 'Reference', cell: ({ reference }) => code(reference) },
    { title: 'Amount', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
    { title: 'Method', cell: ({ method }) => method.replaceAll('_', ' ') },
    { title: 'Provider', cell: ({ provider }) => (provider === 'manual' ? 'none' : providerDisplayName(provider)) },
    { title: 'State', cell: stateOf },
    { title: 'Paid', cell: ({ paidAt }) => dateTime(paidAt) },
    { title: 'Recorded by', cell: ({ id, reference }) => creatorOf(id, history, carriers.get(reference)) },
    { title: 'Next step', cell: (payment) => (isVoidable(visit, payment) ? voidLink(payment) : nothing) },
  ])
}

function creatorOf(recordId: string, history: readonly HistoryEntry[], carrier?: string): Markup | string {
  const actor =
    recordedBy(recordId, history) ?? (carrier === undefined ? undefined : { label: carrier, type: 'carrier' })
  return actor === undefined ? 'unknown' : html`${actor.label} <small>${actor.type}</small>`
}

type Payment = ReplyOf<'listPayments'>['data'][number]

function isVoidable(visit: Visit, { provider, refundId, voidedAt }: Payment): boolean {
  return provider === 'manual' && refundId === null && voidedAt === null && may(visit, 'orders:write')
}

const voidLink = ({ id, reference }: Payment) =>
  html`<a href="${root}/payments/${id}/void" aria-label="Void ${reference}">Void</a>`

function stateOf({ disputedAt, disputeLostKobo, voidedAt, voidReason }: Payment): Markup {
  if (voidedAt !== null) return html`${badge('voided', 'quiet')} ${(voidReason ?? '').replaceAll('_', ' ')}`
  if (disputeLostKobo > 0) return html`${badge('lost', 'bad')} ${money(disputeLostKobo)}`
  return disputedAt === null ? nothing : badge('disputed', 'waiting')
}

export function refundTable(
  { items }: ReplyOf<'getOrder'>,
  refunds: ReplyOf<'listRefunds'>['data'],
  history: readonly HistoryEntry[],
): Markup {
  return table('Refunds', refunds, [
    {
      title: 'Refund',
      cell: ({ id, createdAt }) => link(`/refunds/${id}`, html`Refund of ${dateTime(createdAt)}`),
    },
    { title: 'Amount', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
    { title: 'Items', cell: (refund) => unitsText(namedUnits(items, refund.items)) },
    { title: 'Status', cell: ({ status }) => badge(status, refundTone[status]) },
    { title: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { title: 'By', cell: ({ id }) => creatorOf(id, history) },
  ])
}

export function shipmentTable(shipments: ReplyOf<'getOrder'>['shipments']): Markup {
  if (shipments.length === 0) return empty('No shipment was dispatched for this order.')
  return table('Shipments', shipments, [
    { title: 'Shipment', cell: ({ id }) => link(`/shipments/${id}`, code(id)) },
    { title: 'Status', cell: ({ status }) => shipmentBadge(status) },
    {
      title: 'Units',
      cell: ({ items }) => count(items.reduce((sum, { quantity }) => sum + quantity, 0)),
      isNumber: true,
    },
  ])
}
