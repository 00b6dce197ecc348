import { z } from 'zod'
import { disableWebhookEndpoint } from '../../access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../access/enable-webhook-endpoint.ts'
import { checkBox, noFields } from '../kit/fields.ts'
import { action } from '../kit/route.ts'
import { endpointIdOf, noEndpoint } from './find.ts'
import { endpointContent } from './show.ts'

const permission = 'webhooks:write'

export const enableEndpointAction = action({
  path: '/webhooks/{id}/enable',
  permission,
  done: 'The endpoint is enabled. Its held deliveries are sent first.',
  question: null,
  fields: z.strictObject({ replaysSkipped: checkBox }),
  form: (visit, { id }, draft) => endpointContent(visit, id, { state: draft }),
  run: async ({ context, actor, tenant }, { id }, options) => {
    const outcome = await enableWebhookEndpoint(context, actor, tenant, endpointIdOf(id), options)
    switch (outcome.is) {
      case 'enabled':
        return { is: 'done', to: `/webhooks/${id}` }
      case 'unchanged':
        return { is: 'refused', message: 'The endpoint is already enabled.' }
      case 'endpoint_unknown':
        throw noEndpoint()
    }
  },
})

export const disableEndpointAction = action({
  path: '/webhooks/{id}/disable',
  permission,
  done: 'The endpoint is disabled. Its queued deliveries are held until you enable it.',
  question: null,
  fields: noFields,
  form: (visit, { id }, draft) => endpointContent(visit, id, { state: draft }),
  run: async ({ context, actor, tenant }, { id }) => {
    const outcome = await disableWebhookEndpoint(context, actor, tenant, endpointIdOf(id))
    switch (outcome.is) {
      case 'disabled':
        return { is: 'done', to: `/webhooks/${id}` }
      case 'unchanged':
        return { is: 'refused', message: 'The endpoint is already disabled.' }
      case 'endpoint_unknown':
        throw noEndpoint()
    }
  },
})
