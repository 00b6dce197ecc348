import { z } from 'zod'
import { webhookEndpointsMax } from '../../../registry/values/limits.ts'
import { createWebhookEndpoint } from '../../access/create-webhook-endpoint.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form } from '../kit/form.ts'
import { backLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { endpointFields, endpointInputs, tooLong } from './fields.ts'
import { headerProblem, headersIn } from './header-fields.ts'
import { revealedSecret } from './reveal.ts'

const path = '/webhooks/new'
const permission = 'webhooks:write'
const title = 'Create a webhook endpoint'

export const newEndpointPage = page({ path, permission, show: async (visit) => formPage(visit, newDraft()) })

export const createEndpointAction = action({
  path,
  permission,
  done: 'The endpoint is created.',
  question: null,
  // A recent sign-in is required, because a new endpoint receives the merchant's events, and the page shows the
  // endpoint's signing secret.
  needsRecentSignIn: true,
  fields: z.strictObject(endpointFields),
  form: async (visit, _params, draft) => formPage(visit, draft),
  run: async (visit, _params, fields) => {
    const { context, actor, tenant, policy, vault } = visit
    const given = headersIn(fields, [])
    if (given.is === 'refused') return given
    const { url, kinds, description } = fields
    const request = { url, kinds, description, headers: given.headers.set }
    const outcome = await createWebhookEndpoint({ ...context, policy, vault }, actor, tenant, request)
    switch (outcome.is) {
      case 'created':
        return { is: 'revealed', content: revealedSecret({ title: 'The endpoint is created', ...outcome }) }
      case 'url_refused':
        return { is: 'refused', field: 'url', message: outcome.reason }
      case 'no_kinds':
        return { is: 'refused', field: 'kinds', message: 'Choose at least one event type.' }
      case 'description_too_long':
        return { is: 'refused', field: 'description', message: tooLong }
      case 'headers_refused':
        return headerProblem(fields, outcome)
      case 'too_many_endpoints':
        return {
          is: 'refused',
          message: `The shop has the maximum of ${webhookEndpointsMax} webhook endpoints. Delete one, or send more event types to one URL.`,
        }
    }
  },
})

function formPage(visit: Visit, draft: Draft) {
  const main = html`${backLink('/webhooks', 'All endpoints')}${heading(title)}
<p>The signing secret is shown after you have saved the endpoint.</p>
${form(visit, path, endpointInputs(draft, { storedHeaders: [], policy: visit.policy }), { submit: 'Create endpoint' })}`
  return { title, main }
}
