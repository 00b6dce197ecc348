import { EventId } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, empty, facts, heading, section, time } from '../../markup/parts.ts'
import { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { deliveryTable } from '../deliveries/table.ts'
import { backLink, mainLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'

export const eventPage = page({
  path: '/events/{id}',
  permission: 'events:read',
  show: async (visit, { id }) => {
    const [event, deliveries, endpoints] = await Promise.all([
      read(visit, 'getEvent', { params: { id } }),
      deliveriesOf(visit, id),
      listEndpoints(visit.context.database, visit.tenant.merchantId),
    ])
    const main = html`${backLink('/events', 'All events')}${heading(`Event ${event.event}`)}
${facts([
  ['Id', code(event.id)],
  ['Mode', event.mode],
  ['Time', time(event.createdAt)],
])}
${section('Payload', html`<p class="hint">As the API returns it, with times in UTC. The other times on this page are Lagos times.</p><pre tabindex="0">${JSON.stringify(event, null, 2)}</pre>`)}
${section('Deliveries', deliveries.length === 0 ? none(visit, endpoints) : deliveryTable(deliveries, endpoints))}`
    return { title: event.event, main }
  },
})

/**
 * Maximum number of deliveries that the page shows. It is enough for one delivery to each endpoint and for the latest
 * replays.
 */
const shownMax = 50

async function deliveriesOf({ context, tenant }: Visit, id: string) {
  const eventId = EventId.safeParse(id)
  if (!eventId.success) return []
  return listDeliveries(context.database, { merchantId: tenant.merchantId, eventId: eventId.data, limit: shownMax })
}

/**
 * States that the event was sent to no endpoint, and links to the form in which an endpoint subscribes to the type of
 * the event.
 */
function none(visit: Visit, endpoints: Awaited<ReturnType<typeof listEndpoints>>): Markup {
  const [first, ...others] = endpoints
  const next =
    first === undefined
      ? mainLink('/webhooks/new', 'Create an endpoint')
      : others.length === 0
        ? mainLink(`/webhooks/${first.id}/edit`, 'Edit the event types of the endpoint')
        : mainLink('/webhooks', 'Choose the endpoint that receives such events')
  const shown = may(visit, 'webhooks:write') ? html`<p>${next}</p>` : nothing
  return empty('No endpoint was subscribed to this event when it happened.', shown)
}
