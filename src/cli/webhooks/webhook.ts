import { z } from 'zod'
import { webhookEndpointsMax } from '../../../registry/values/limits.ts'
import { createWebhookEndpoint } from '../../access/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint, type SkippedReplay } from '../../access/enable-webhook-endpoint.ts'
import { stateOf } from '../../access/endpoint-state.ts'
import { revealSigningSecret } from '../../access/show-signing-secret.ts'
import { toMs } from '../../base/clock.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf, endpointOptions, noEndpoint } from '../kit/endpoint.ts'
import { CommandFailure, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { descriptionOption, flag, headersOption, kindsOption, merchantOptions, urlOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { headersRefused, readHeaders } from '../kit/read-headers.ts'
import { tenantOf } from '../kit/tenant.ts'

export const webhookCreate = command({
  name: 'webhook create',
  summary: 'Create a webhook endpoint: a URL that receives events.',
  options: z.strictObject({
    ...merchantOptions,
    url: urlOption,
    events: kindsOption,
    description: descriptionOption.optional(),
    headers: headersOption.optional(),
  }),
  run: async (values) => {
    const headers = await readHeaders(values.headers ?? [])
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const request = { url: values.url, kinds: values.events, description: values.description, headers }
      const outcome = await createWebhookEndpoint(context, operator, tenant, request)
      switch (outcome.is) {
        case 'created': {
          const { id, url, secret } = outcome
          return {
            json: { id, url, events: values.events, secret, ...tenant },
            text: `Created endpoint ${id}. Its signing secret:\n\n${secret}`,
          }
        }
        case 'url_refused':
          throw new UsageError(`--url ${values.url} is refused: ${outcome.reason}`)
        case 'no_kinds':
          throw new UsageError('--events must name at least one event type.')
        case 'description_too_long':
          throw new UsageError('--description is too long.')
        case 'headers_refused':
          throw headersRefused(outcome)
        case 'too_many_endpoints':
          throw new CommandFailure(
            `The merchant has the maximum of ${webhookEndpointsMax} webhook endpoints. Delete one with webhook delete, or send more event types to one URL.`,
          )
      }
    })
  },
})

export const webhookList = command({
  name: 'webhook list',
  summary: 'List a merchant’s webhook endpoints, newest first.',
  options: z.strictObject(merchantOptions),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const { merchantId } = await tenantOf(database, values)
      const nowMs = clock.nowMs()
      const rows = (await listEndpoints(database, merchantId)).map(
        ({ kinds, previousSecretExpiresAt, headerNames, ...endpoint }) => {
          const isGrace = previousSecretExpiresAt !== null && toMs(previousSecretExpiresAt) > nowMs
          return {
            ...endpoint,
            state: stateOf(endpoint),
            events: kinds,
            headers: headerNames ?? [],
            liveSecrets: isGrace ? 2 : 1,
            previousSecretExpiresAt: isGrace ? previousSecretExpiresAt : null,
          }
        },
      )
      const secrets = ['liveSecrets', 'previousSecretExpiresAt', 'headers']
      const columns = ['id', 'state', 'url', 'events', 'held', ...secrets, 'description']
      return { json: rows, text: table(rows, columns) }
    }),
})

const options = z.strictObject({ ...merchantOptions, ...endpointOptions })

export const webhookEnable = command({
  name: 'webhook enable',
  summary: 'Enable a webhook endpoint. The deliveries that were held while the endpoint was disabled are sent first.',
  options: z.strictObject({
    ...merchantOptions,
    ...endpointOptions,
    'replay-skipped': flag('Also replay the deliveries that were skipped while the endpoint was disabled.'),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const options = { replaysSkipped: values['replay-skipped'] }
      const outcome = await enableWebhookEndpoint(context, operator, tenant, id, options)
      switch (outcome.is) {
        case 'enabled': {
          const { resumed, skipped, replay } = outcome
          const replayId = replay.is === 'started' ? replay.id : null
          return {
            json: { id, status: 'enabled', resumed, skipped, replayId },
            text: `Endpoint ${id} is enabled; ${resumed} queued deliveries resume. ${describeSkipped(skipped, replay)}`,
          }
        }
        case 'unchanged':
          return {
            json: { id, status: 'enabled', resumed: 0, skipped: 0, replayId: null },
            text: `Endpoint ${id} is already enabled.`,
          }
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})

function describeSkipped(skipped: number, replay: SkippedReplay): string {
  const count = `${skipped} deliveries were skipped while the endpoint was disabled`
  switch (replay.is) {
    case 'started':
      return `${count}; replay ${replay.id} sends them.`
    case 'already_running':
      return `${count}. Replay ${replay.id} is still running, so the skipped deliveries are not replayed.`
    case 'not_requested':
    case 'nothing_skipped':
      return skipped === 0
        ? 'No deliveries were skipped while the endpoint was disabled.'
        : `${count}. Send the skipped deliveries with commerce webhook replay.`
  }
}

export const webhookDisable = command({
  name: 'webhook disable',
  summary: 'Disable a webhook endpoint. Its queued deliveries are held until the endpoint is enabled.',
  options,
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const outcome = await disableWebhookEndpoint(context, operator, tenant, id)
      switch (outcome.is) {
        case 'disabled':
          return {
            json: { id, status: 'disabled', held: outcome.held },
            text: `Endpoint ${id} is disabled; ${outcome.held} queued deliveries are held until it is enabled.`,
          }
        case 'unchanged':
          return { json: { id, status: 'disabled', held: 0 }, text: `Endpoint ${id} is already disabled.` }
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})

export const webhookSecret = command({
  name: 'webhook secret',
  summary: 'Show the signing secret of an endpoint. The audit log records this access.',
  options,
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const outcome = await revealSigningSecret(context, operator, tenant, id)
      if (outcome.is === 'endpoint_unknown') throw noEndpoint(id)
      const { secret } = outcome
      return { json: { id, secret }, text: secret }
    }),
})
