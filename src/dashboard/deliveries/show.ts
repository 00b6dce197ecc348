import { readSentHeaders } from '../../access/sent-headers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, empty, facts, recordHeading, section, time } from '../../markup/parts.ts'
import { listAttempts } from '../../store/webhooks/attempts.ts'
import { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import type { DeliveryRecord } from '../../store/webhooks/delivery-record.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Content } from '../kit/content.ts'
import { button, form } from '../kit/form.ts'
import { backLink, link, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { attemptEntry, wasSent } from './attempts.ts'
import { requireDelivery } from './find.ts'
import { deliveryStatus } from './status.ts'
import { deliveryTable } from './table.ts'

export const deliveryPage = page({
  path: '/deliveries/{id}',
  permission: 'webhooks:read',
  show: (visit, { id }) => deliveryContent(visit, id),
})

/**
 * Maximum number of deliveries of the same event that the page shows: one for each endpoint, and the latest replays.
 */
const othersMax = 50

/**
 * Maximum number of attempts that the page shows. A delivery has at most seven attempts, unless faults of this service
 * cause more.
 */
const attemptsMax = 20

export async function deliveryContent(visit: Visit, id: string): Promise<Content> {
  const { database } = visit.context
  const { merchantId } = visit.tenant
  const delivery = await requireDelivery(visit, id)
  const { eventId, body, kind } = delivery
  const [attempts, headersAt, deliveries, endpoints] = await Promise.all([
    listAttempts(database, { merchantId, deliveryId: delivery.id }),
    readSentHeaders({ database, vault: visit.vault }, { merchantId, ...delivery }),
    listDeliveries(database, { merchantId, eventId, limit: othersMax }),
    listEndpoints(database, merchantId),
  ])
  const bodyBytes = Buffer.byteLength(body)
  const entries = attempts
    .slice(-attemptsMax)
    .map((attempt) => attemptEntry({ attempt, sent: headersAt(attempt.startedAt), bodyBytes }))
  const others = deliveries.filter((other) => other.id !== delivery.id)
  const isSent = delivery.trigger !== 'test' && attempts.some(wasSent)
  const isRejected = !delivery.isEndpointDeleted && attempts.some(({ httpStatus }) => (httpStatus ?? 0) >= badRequest)
  const main = html`${backLink('/deliveries', 'All deliveries')}${recordHeading(`Delivery of ${kind}`, deliveryStatus(delivery), { more: [] })}
${next(delivery)}${may(visit, 'webhooks:write') ? replayForm(visit, delivery) : nothing}${about(delivery)}
${isRejected ? verifyLink(delivery) : nothing}${section('Attempts', timeline(entries, isSent))}
${section('Body', html`<p class="hint">The body of the delivery, byte for byte: each request of an attempt has this body.</p><pre tabindex="0">${body}</pre>`)}
${others.length === 0 ? nothing : section('Other deliveries of the event', deliveryTable(others, endpoints))}`
  return { title: `Delivery of ${kind}`, main, isLive: delivery.completedAt === null }
}

function about({
  id,
  eventId,
  endpointId,
  url,
  isEndpointDeleted,
  trigger,
  replayOf,
  bulkReplayId,
  createdAt,
  completedAt,
}: DeliveryRecord): Markup {
  const origin = replayOf === null ? [] : [['Replay of', link(`/deliveries/${replayOf}`, code(replayOf))] as const]
  const bulk = bulkReplayId === null ? [] : [['Bulk replay', code(bulkReplayId)] as const]
  return facts([
    ['Id', code(id)],
    ['Event', trigger === 'test' ? html`${code(eventId)} (test)` : link(`/events/${eventId}`, code(eventId))],
    ['Endpoint', isEndpointDeleted ? html`${code(url)} (deleted)` : link(`/webhooks/${endpointId}`, url)],
    ...origin,
    ...bulk,
    ['Created', time(createdAt)],
    ['Completed', completedAt === null ? 'not yet' : time(completedAt)],
  ])
}

/** Shows what happens next with a delivery, such as the time of the next attempt. */
function next({
  status,
  trigger,
  nextAttemptAt,
  isLeased,
  endpointStatus,
  attemptCount,
  isEndpointDeleted,
}: DeliveryRecord): Markup {
  if (isLeased) return html`<p>The delivery is being sent.</p>`
  if (nextAttemptAt !== null) return html`<p>The next attempt is due at ${time(nextAttemptAt)}.</p>`
  switch (status) {
    case 'held':
      if (attemptCount === 0)
        return html`<p>The endpoint is ${endpointStatus}. The delivery is sent when you enable the endpoint.</p>`
      return html`<p>The last attempt failed, and the endpoint is ${endpointStatus}. After you enable the endpoint, the next attempt follows at its retry time, or at once if this time has passed.</p>`
    case 'skipped':
      if (isEndpointDeleted)
        return html`<p>The delivery was not sent, because the endpoint was disabled or deleted.</p>`
      return html`<p>The delivery was not sent, because the endpoint was disabled. Replay it to send it.</p>`
    case 'failed':
      return html`<p>${attemptCount === 1 ? 'The attempt' : `All ${attemptCount} attempts`} failed. ${isEndpointDeleted ? 'The endpoint is deleted.' : trigger === 'test' ? 'Correct the receiver, then send another test event.' : 'Correct the receiver, then replay the delivery.'}</p>`
    case 'pending':
    case 'succeeded':
      return nothing
  }
}

/** Lowest HTTP status with which a receiver rejects a delivery. */
const badRequest = 400

function verifyLink({ endpointId, eventId }: DeliveryRecord): Markup {
  const path = withQuery(`/webhooks/${endpointId}/verify`, { event: eventId })
  return html`<p>If the receiver rejected the signature, ${link(path, 'verify the signature')} to find out why.</p>`
}

/**
 * Shows the attempts of a delivery. `isSent` states whether an attempt has sent the body of a real event. If so, a hint
 * explains that the body and the signatures on the page may differ from those that were sent.
 */
function timeline(entries: readonly Markup[], isSent: boolean): Markup {
  if (entries.length === 0) return empty('No delivery attempt has been made yet.')
  const hint = html`<p class="hint">Anonymising a customer also replaces the personal data in stored events. The body and the signatures on this page then differ from those that were sent.</p>`
  return html`${isSent ? hint : nothing}
<ol class="timeline">${entries}</ol>`
}

function replayForm(visit: Visit, { id, trigger, isEndpointDeleted, endpointId, kind }: DeliveryRecord): Markup {
  if (isEndpointDeleted) return nothing
  if (trigger === 'test') {
    const again = { hidden: { kind }, isMain: true }
    return html`<p>${button(visit, `/webhooks/${endpointId}/test`, 'Send another test event', again)}</p>`
  }
  const text = html`<p>Sends the event once more, with the same id and body and a new signature.</p>`
  return section('Replay', form(visit, `/deliveries/${id}/replay`, text, { submit: 'Replay delivery' }))
}
