import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, empty, heading, table } from '../../markup/parts.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { command, link, mainLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may } from '../kit/visit.ts'
import { type Endpoint, nameOf } from './find.ts'
import { endpointState } from './state.ts'

export const endpointList = page({
  path: '/webhooks',
  permission: 'webhooks:read',
  show: async (visit) => {
    const endpoints = await listEndpoints(visit.context.database, visit.tenant.merchantId)
    const create = may(visit, 'webhooks:write') ? mainLink('/webhooks/new', 'Create an endpoint') : nothing
    const list = endpoints.length === 0 ? none() : rows(endpoints)
    return { title: 'Webhook endpoints', main: html`${heading('Webhook endpoints', create)}${list}`, isLive: true }
  },
})

function rows(endpoints: readonly Endpoint[]): Markup {
  return table('Webhook endpoints', endpoints, [
    { title: 'Endpoint', phone: 'title', cell: (endpoint) => link(`/webhooks/${endpoint.id}`, nameOf(endpoint)) },
    { title: 'State', phone: 'state', cell: endpointState },
    { title: 'URL', phone: 'detail', cell: ({ url }) => code(url) },
    { title: 'Events', phone: 'hidden', cell: ({ kinds }) => kinds.join(', ') },
    { title: 'Held deliveries', phone: 'labelled', cell: ({ held }) => count(held), isNumber: true },
  ])
}

function none(): Markup {
  return empty(
    'There are no webhook endpoints yet. Create one for the URL that receives your events. To receive them on your own machine, run:',
    command('npm run -s commerce -- listen'),
  )
}
