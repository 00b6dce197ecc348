import { z } from 'zod'
import { createWebhookEndpoint } from '../access/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../access/enable-webhook-endpoint.ts'
import { findCurrentSecret, listEndpoints } from '../store/endpoints.ts'
import { command } from './command.ts'
import { connected, operator } from './connect.ts'
import { endpointIdOf, noEndpoint } from './endpoint.ts'
import { UsageError } from './failure.ts'
import { idOption, kindsOption, merchantOptions, option } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const webhookCreate = command({
  name: 'webhook create',
  summary: 'Register a URL that events are sent to.',
  options: z.strictObject({
    ...merchantOptions,
    url: option(z.string().min(1), { value: 'URL', meaning: 'Where to send them: https, and reachable from outside.' }),
    events: kindsOption,
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const request = { url: values.url, kinds: values.events }
      const outcome = await createWebhookEndpoint(context, operator, tenant, request)
      switch (outcome.is) {
        case 'created': {
          const { id, url, secret } = outcome
          return {
            json: { id, url, events: values.events, secret, ...tenant },
            text: `Endpoint ${id} was registered. Its signing secret:\n\n${secret}`,
          }
        }
        case 'url_refused':
          throw new UsageError(`--url ${values.url} is refused: ${outcome.reason}`)
        case 'no_kinds':
          throw new UsageError('--events must name at least one kind.')
      }
    }),
})

export const webhookList = command({
  name: 'webhook list',
  summary: 'List a merchant’s webhook endpoints, newest first.',
  options: z.strictObject(merchantOptions),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const rows = (await listEndpoints(database, merchantId)).map(({ kinds, ...endpoint }) => ({
        ...endpoint,
        events: kinds,
      }))
      return { json: rows, text: table(rows, ['id', 'status', 'url', 'events', 'consecutiveFailures', 'held']) }
    }),
})

const endpointOptions = z.strictObject({ ...merchantOptions, endpoint: idOption('The endpoint.') })

export const webhookEnable = command({
  name: 'webhook enable',
  summary: 'Send to an endpoint again, beginning with what was held.',
  options: endpointOptions,
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const outcome = await enableWebhookEndpoint(context, operator, tenant, id)
      switch (outcome.is) {
        case 'enabled':
          return {
            json: { id, status: 'enabled', resumed: outcome.resumed },
            text: `Endpoint ${id} is enabled; ${outcome.resumed} held deliveries go on.`,
          }
        case 'already_so':
          return { json: { id, status: 'enabled', resumed: 0 }, text: `Endpoint ${id} was enabled already.` }
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})

export const webhookDisable = command({
  name: 'webhook disable',
  summary: 'Stop sending to an endpoint. What is queued is held.',
  options: endpointOptions,
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const outcome = await disableWebhookEndpoint(context, operator, tenant, id)
      switch (outcome.is) {
        case 'disabled':
          return {
            json: { id, status: 'disabled', held: outcome.held },
            text: `Endpoint ${id} is disabled; ${outcome.held} deliveries are held.`,
          }
        case 'already_so':
          return { json: { id, status: 'disabled', held: 0 }, text: `Endpoint ${id} was disabled already.` }
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})

export const webhookSecret = command({
  name: 'webhook secret',
  summary: 'Show an endpoint’s signing secret.',
  options: endpointOptions,
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const id = endpointIdOf(values.endpoint)
      const secret = await findCurrentSecret(database, { merchantId, endpointId: id })
      if (secret === undefined) throw noEndpoint(id)
      return { json: { id, secret }, text: secret }
    }),
})
