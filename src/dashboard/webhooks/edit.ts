import { z } from 'zod'
import { endpointVersion, updateWebhookEndpoint } from '../../access/update-webhook-endpoint.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { form, hiddenField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { endpointFields, endpointInputs, tooLong } from './fields.ts'
import { endpointIdOf, nameOf, noEndpoint, requireEndpoint } from './find.ts'
import { headerProblem, headersIn } from './header-fields.ts'
import { refuseHeaders } from './unreadable.ts'

const path = '/webhooks/{id}/edit'
const permission = 'webhooks:write'

export const editEndpointPage = page({
  path,
  permission,
  show: async (visit, { id }) => {
    const endpoint = await requireEndpoint(visit, id)
    const { url, kinds, description } = endpoint
    const version = endpointVersion(endpoint)
    return formPage(visit, id, newDraft({ url, kinds, description, version }))
  },
})

/** Maximum length of the endpoint's version in the edit form. The version is a hash, which is never longer. */
const versionMaxLength = 64

export const editEndpointAction = action({
  path,
  permission,
  done: 'The endpoint is saved.',
  question: null,
  // A recent sign-in is required, because a new URL receives the events of the merchant, and headers contain secrets.
  needsRecentSignIn: true,
  fields: z.strictObject({ ...endpointFields, version: z.string().max(versionMaxLength) }),
  form: async (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, fields) => {
    const { context, actor, tenant, policy, vault } = visit
    const { headerNames } = await requireEndpoint(visit, id)
    const given = headersIn(fields, headerNames ?? [])
    if (given.is === 'refused') return given
    const { url, kinds, description = '', version } = fields
    const change = { endpointId: endpointIdOf(id), url, kinds, description, version, headers: given.headers }
    const updating = updateWebhookEndpoint({ ...context, policy, vault }, actor, tenant, change)
    const outcome = await updating.catch((error) => refuseHeaders(visit, error))
    switch (outcome.is) {
      case 'updated':
      case 'unchanged':
        return { is: 'done', to: `/webhooks/${id}` }
      case 'stale':
        return {
          is: 'refused',
          message: 'The endpoint was changed after you opened this form. Open the form again to see the change.',
        }
      case 'url_refused':
        return { is: 'refused', field: 'url', message: outcome.reason }
      case 'no_kinds':
        return { is: 'refused', field: 'kinds', message: 'Choose at least one event type.' }
      case 'description_too_long':
        return { is: 'refused', field: 'description', message: tooLong }
      case 'headers_refused':
        return headerProblem(fields, outcome)
      case 'endpoint_unknown':
        throw noEndpoint()
    }
  },
})

async function formPage(visit: Visit, id: string, draft: Draft) {
  const endpoint = await requireEndpoint(visit, id)
  const title = `Edit ${nameOf(endpoint)}`
  const fields = html`${hiddenField('version', fieldValue(draft, 'version'))}${endpointInputs(draft, { storedHeaders: endpoint.headerNames ?? [], policy: visit.policy })}`
  const main = html`${heading(title)}
<p>A new URL counts as a new receiver: the failure count starts at zero, and queued deliveries go to the new URL.</p>
${form(visit, `/webhooks/${id}/edit`, fields, { submit: 'Save endpoint' })}
<p>${link(`/webhooks/${id}`, 'Discard the changes')}</p>`
  return { title, main }
}
