import { z } from 'zod'
import { disableWebhookEndpoint } from '../../access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../access/enable-webhook-endpoint.ts'
import { html } from '../../markup/markup.ts'
import { count, heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { checkBox, noFields } from '../kit/fields.ts'
import { link, withQuery } from '../kit/parts.ts'
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
        return outcome.replay.is === 'already_running'
          ? { is: 'reported', content: notReplayed(id, outcome.skipped) }
          : { is: 'done', to: `/webhooks/${id}` }
      case 'unchanged':
        return { is: 'refused', message: 'The endpoint is already enabled.' }
      case 'endpoint_unknown':
        throw noEndpoint()
    }
  },
})

/**
 * The skipped deliveries are not replayed, because an earlier bulk replay of the endpoint is still running. An endpoint
 * has at most one bulk replay at a time.
 */
function notReplayed(id: string, skipped: number): Content {
  const title = 'The endpoint is enabled'
  const main = html`${heading(title)}
<p class="notice" role="status">Its held deliveries are sent first. The deliveries that were skipped while it was disabled are not replayed: ${count(skipped)}. An earlier bulk replay of the endpoint is still running.</p>
<p>Wait until this bulk replay is done, or cancel it under ${link('/deliveries/replays', 'Bulk replays')}. Then ${link(withQuery('/deliveries/replay', { endpoint: id }), 'replay the skipped deliveries')}.</p>
<p>${link(`/webhooks/${id}`, 'Open the endpoint')}</p>`
  return { title, main }
}

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
