import { toMs } from '../../base/clock.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, money, time } from '../../markup/parts.ts'
import type { HistoryEntry } from '../../store/orders/order-history.ts'
import { deliveryStatus } from '../deliveries/status.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { refundTone } from '../refunds/tone.ts'
import { orderTone } from './tone.ts'

interface Records {
  readonly order: ReplyOf<'getOrder'>
  readonly payments: ReplyOf<'listPayments'>['data']
  readonly refunds: ReplyOf<'listRefunds'>['data']
  readonly history: readonly HistoryEntry[]
}

interface Entry {
  readonly at: HistoryEntry['at']
  readonly text: Markup
}

/** Maximum number of timeline entries, far more than almost any order has. The audit log contains all entries. */
const shownMax = 200

/** Shows everything that happened to an order, newest first. */
export function timeline(visit: Visit, { order, payments, refunds, history }: Records): Markup {
  const entries: Entry[] = [
    { at: order.createdAt, text: html`The order was created. Source: ${order.source}.` },
    ...payments.flatMap(paymentEntries),
    ...refunds.flatMap(refundEntries),
    ...history.filter((entry) => isShown(visit, entry)).map((entry) => ({ at: entry.at, text: textOf(entry) })),
  ]
  const newestFirst = entries.toSorted((a, b) => toMs(b.at) - toMs(a.at))
  const more =
    entries.length > shownMax
      ? html`<p>${link(`/audit?resource=${order.id}`, 'Earlier changes are in the audit log')}</p>`
      : nothing
  return html`<ol class="timeline">${newestFirst.slice(0, shownMax).map(({ at, text }) => html`<li>${time(at)}<br>${text}</li>`)}</ol>${more}`
}

/**
 * Today every role may read events and the audit log. A later role without this permission must not see their entries
 * in the timeline of an order.
 */
function isShown(visit: Visit, { is }: HistoryEntry): boolean {
  switch (is) {
    case 'audit':
      return may(visit, 'audit:read')
    case 'event':
      return may(visit, 'events:read')
    case 'delivery':
      return may(visit, 'webhooks:read')
    case 'shipment_event':
      return may(visit, 'logistics:read')
    case 'status_change':
      return true
  }
}

function paymentEntries({ amountKobo, method, reference, createdAt, voidedAt }: Records['payments'][number]): Entry[] {
  const payment = html`Payment of ${money(amountKobo)} by ${method.replaceAll('_', ' ')}, reference ${code(reference)}`
  const ended = voidedAt === null ? [] : [{ at: voidedAt, text: html`${payment} ${badge('voided', 'quiet')}` }]
  return [...ended, { at: createdAt, text: html`${payment}.` }]
}

function refundEntries({ id, amountKobo, createdAt, succeededAt, failedAt }: Records['refunds'][number]): Entry[] {
  const refund = html`Refund ${link(`/refunds/${id}`, code(id))} of ${money(amountKobo)}`
  const ended = [
    ...(succeededAt === null
      ? []
      : [{ at: succeededAt, text: html`${refund} ${badge('succeeded', refundTone.succeeded)}` }]),
    ...(failedAt === null ? [] : [{ at: failedAt, text: html`${refund} ${badge('failed', refundTone.failed)}` }]),
  ]
  return [...ended, { at: createdAt, text: html`${refund} was created.` }]
}

function textOf(entry: HistoryEntry): Markup {
  switch (entry.is) {
    case 'status_change': {
      const { from, to, reason, actorType } = entry
      const why = reason === null ? '' : ` (${reason})`
      return html`Status ${badge(from, orderTone[from])} → ${badge(to, orderTone[to])}${why} by ${actorType}.`
    }
    case 'shipment_event': {
      const { shipmentId, description, isApplied } = entry
      return html`${link(`/shipments/${shipmentId}`, 'Shipment')}: ${description}${isApplied ? nothing : html` ${badge('not applied', 'quiet')}`}`
    }
    case 'event':
      return html`Event ${link(`/events/${entry.id}`, code(entry.kind))}.`
    case 'delivery': {
      const { id, kind, endpointId, attemptCount } = entry
      return html`${link(`/deliveries/${id}`, 'Delivery')} of ${code(kind)} to ${link(`/webhooks/${endpointId}`, code(endpointId))}: ${deliveryStatus(entry)} after ${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}.`
    }
    case 'audit': {
      const { action, actorType, actorLabel, sourceIp, resourceId } = entry
      const from = sourceIp === null ? nothing : html` from ${code(sourceIp)}`
      return html`${link(`/audit?resource=${resourceId}`, code(action))} by ${actorType} ${actorLabel}${from}.`
    }
  }
}
