import { toMs } from '../../base/clock.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, dateTime, money } from '../../markup/parts.ts'
import type { HistoryEntry } from '../../store/orders/order-history.ts'
import { deliveryStatus } from '../deliveries/status.ts'
import type { ReplyOf } from '../kit/call.ts'
import { fieldWords } from '../kit/field-words.ts'
import { link } from '../kit/parts.ts'
import { namedUnits, unitsText } from '../kit/units.ts'
import { may, type Visit } from '../kit/visit.ts'
import { refundTone } from '../refunds/tone.ts'
import type { CashCarriers } from './cash-carriers.ts'
import { orderTone } from './tone.ts'

interface Records {
  readonly order: ReplyOf<'getOrder'>
  readonly payments: ReplyOf<'listPayments'>['data']
  readonly refunds: ReplyOf<'listRefunds'>['data']
  readonly history: readonly HistoryEntry[]
  readonly carriers: CashCarriers
}

interface Entry {
  readonly at: HistoryEntry['at']
  readonly text: Markup
}

type Technical = Extract<HistoryEntry, { is: 'audit' | 'event' | 'delivery' }>

/** Maximum number of timeline entries, far more than almost any order has. The audit log contains all entries. */
const shownMax = 200

/**
 * Shows the newest entries first. Technical entries are in a separate folded list: audit log entries, events, and the
 * deliveries of the events.
 */
export function timeline(visit: Visit, { order, payments, refunds, history, carriers }: Records): Markup {
  const shown = history.filter((entry) => isShown(visit, entry))
  const technical = shown.filter(isTechnical).map((entry) => ({ at: entry.at, text: textOf(entry, history) }))
  const entries: Entry[] = [
    { at: order.createdAt, text: html`The order was created. Source: ${order.source}.` },
    ...payments.flatMap((payment) => paymentEntries(payment, shown, carriers.get(payment.reference))),
    ...refunds.flatMap((refund) => refundEntries(refund, order, shown)),
    ...shown.flatMap((entry) => editEntries(entry, order.id)),
    ...shown.filter((entry) => !isTechnical(entry)).map((entry) => ({ at: entry.at, text: textOf(entry, history) })),
  ]
  const isCut = entries.length > shownMax || technical.length > shownMax
  const more = isCut
    ? html`<p>${link(`/audit?resource=${order.id}`, 'Earlier changes are in the audit log')}</p>`
    : nothing
  const folded =
    technical.length === 0
      ? nothing
      : html`<details><summary>Technical entries (${technical.length})</summary>${listOf(technical)}</details>`
  return html`${listOf(entries)}${folded}${more}`
}

function listOf(entries: readonly Entry[]): Markup {
  const newestFirst = entries.toSorted((a, b) => toMs(b.at) - toMs(a.at))
  return html`<ol class="timeline">${newestFirst.slice(0, shownMax).map(({ at, text }) => html`<li>${dateTime(at)}<br>${text}</li>`)}</ol>`
}

function isTechnical(entry: HistoryEntry): entry is Technical {
  return entry.is === 'audit' || entry.is === 'event' || entry.is === 'delivery'
}

/**
 * Reports whether the member's role may read the records of an entry, such as events or the audit log. Every current
 * role may read them. A future role without this permission must not see the entries in the timeline either.
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
    case 'comment':
      return true
  }
}

interface RecordActor {
  readonly label: string
  readonly type: string
}

/** Returns the actor who created a payment or a refund: the actor of the oldest audit log entry about it. */
export function recordedBy(recordId: string, history: readonly HistoryEntry[]): RecordActor | undefined {
  const entries = history.filter((entry) => entry.is === 'audit' && entry.resourceId === recordId)
  const [first] = entries.toSorted((one, other) => one.at.localeCompare(other.at))
  return first?.is === 'audit' ? { label: first.actorLabel, type: first.actorType } : undefined
}

function by(recordId: string, history: readonly HistoryEntry[], carrier?: string): string {
  const label = recordedBy(recordId, history)?.label ?? carrier
  return label === undefined ? '' : ` by ${label}`
}

function paymentEntries(
  payment: Records['payments'][number],
  history: readonly HistoryEntry[],
  carrier: string | undefined,
): Entry[] {
  const { id, amountKobo, method, reference, createdAt, voidedAt } = payment
  const text = html`Payment of ${money(amountKobo)} by ${method.replaceAll('_', ' ')}, reference ${code(reference)}`
  const ended = voidedAt === null ? [] : [{ at: voidedAt, text: html`${text} ${badge('voided', 'quiet')}` }]
  return [...ended, { at: createdAt, text: html`${text}, recorded${by(id, history, carrier)}.` }]
}

function refundEntries(
  refund: Records['refunds'][number],
  { items }: Records['order'],
  history: readonly HistoryEntry[],
): Entry[] {
  const { id, amountKobo, createdAt, succeededAt, failedAt } = refund
  const units = unitsText(namedUnits(items, refund.items))
  const text = html`${link(`/refunds/${id}`, 'Refund')} of ${money(amountKobo)}`
  const ended = [
    ...(succeededAt === null
      ? []
      : [{ at: succeededAt, text: html`${text} ${badge('succeeded', refundTone.succeeded)}` }]),
    ...(failedAt === null ? [] : [{ at: failedAt, text: html`${text} ${badge('failed', refundTone.failed)}` }]),
  ]
  const created = html`${text}${units === '' ? '' : ` for ${units}`} was created${by(id, history)}.`
  return [...ended, { at: createdAt, text: created }]
}

function editEntries(entry: HistoryEntry, orderId: string): Entry[] {
  if (entry.is !== 'audit' || entry.action !== 'order.update' || entry.resourceId !== orderId) return []
  const { fields } = entry
  const changed = fields.length === 0 ? '' : `: ${fields.map(fieldWords).join(', ')}`
  return [{ at: entry.at, text: html`The order was edited by ${entry.actorLabel}${changed}.` }]
}

/**
 * Returns the name of the actor who changed the status, from the audit entry of the transaction that changed the
 * status.
 */
function changerOf(
  { at, actorType }: HistoryEntry & { readonly is: 'status_change' },
  history: readonly HistoryEntry[],
): string {
  const entry = history.find((other) => other.is === 'audit' && other.at === at && other.actorType === actorType)
  return entry?.is === 'audit' ? entry.actorLabel : (actorNames.get(actorType) ?? actorType)
}

/** The words with which the timeline names actors that are not current members of the shop. */
const actorNames = new Map([
  ['operator', 'the operator of the service'],
  ['system', 'the service'],
  ['provider', 'the payment provider'],
  ['token', 'an API token'],
  ['member', 'a former member'],
])

function linesOf(text: string): readonly Markup[] {
  return text.split('\n').map((line, index) => html`${index === 0 ? nothing : html`<br>`}${line}`)
}

function textOf(entry: HistoryEntry, history: readonly HistoryEntry[]): Markup {
  switch (entry.is) {
    case 'status_change': {
      const { from, to, reason } = entry
      const why = reason === null ? '' : ` (${reason.replaceAll('_', ' ')})`
      return html`Status ${badge(from, orderTone[from])} → ${badge(to, orderTone[to])}${why} by ${changerOf(entry, history)}.`
    }
    case 'comment': {
      const by = entry.authorType === 'token' ? html` ${badge('API token', 'quiet')}` : nothing
      return html`Comment by ${entry.authorName}${by}: ${linesOf(entry.text)}`
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
