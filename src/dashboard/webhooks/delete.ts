import { deleteWebhookEndpoint } from '../../access/delete-webhook-endpoint.ts'
import { html, nothing } from '../../markup/markup.ts'
import { code, heading } from '../../markup/parts.ts'
import { noFields } from '../kit/fields.ts'
import { form } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { endpointIdOf, nameOf, noEndpoint, requireEndpoint } from './find.ts'

const path = '/webhooks/{id}/delete'
const permission = 'webhooks:write'

export const deleteEndpointPage = page({
  path,
  permission,
  show: (visit, { id }) => confirmation(visit, id),
})

export const deleteEndpointAction = action({
  path,
  permission,
  done: 'The endpoint is deleted. Its deliveries stay in the list of deliveries.',
  question: () => ({
    text: 'The endpoint no longer receives events, and its signing secret is deleted.',
    submit: 'Delete endpoint',
  }),
  fields: noFields,
  form: (visit, { id }) => confirmation(visit, id),
  run: async ({ context, actor, tenant }, { id }) => {
    const outcome = await deleteWebhookEndpoint(context, actor, tenant, endpointIdOf(id))
    if (outcome.is === 'endpoint_unknown') throw noEndpoint()
    return { is: 'done', to: '/webhooks' }
  },
})

async function confirmation(visit: Visit, id: string) {
  const endpoint = await requireEndpoint(visit, id)
  const title = `Delete ${nameOf(endpoint)}?`
  const main = html`${heading(title)}
<p>${code(endpoint.url)} will no longer receive events. Queued deliveries are not sent, and the signing secret is deleted. This cannot be undone.</p>
<p>To stop deliveries for a time only, disable the endpoint.</p>
${form(visit, `/webhooks/${id}/delete`, nothing, { submit: 'Delete endpoint', isDangerous: true, isConfirmation: true })}
<p>${link(`/webhooks/${id}`, 'Keep the endpoint')}</p>`
  return { title, main }
}
