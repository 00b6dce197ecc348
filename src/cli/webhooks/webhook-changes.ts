import { z } from 'zod'
import { webhookSecretGraceHours } from '../../../registry/values/limits.ts'
import { deleteWebhookEndpoint } from '../../access/delete-webhook-endpoint.ts'
import { rotateSigningSecret } from '../../access/rotate-signing-secret.ts'
import { updateWebhookEndpoint } from '../../access/update-webhook-endpoint.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf, endpointOptions, noEndpoint } from '../kit/endpoint.ts'
import { CommandFailure, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import {
  descriptionOption,
  flag,
  headersOption,
  kindsOption,
  merchantOptions,
  numberOption,
  removedHeadersOption,
  urlOption,
} from '../kit/option.ts'
import { headersRefused, readHeaders } from '../kit/read-headers.ts'
import { tenantOf } from '../kit/tenant.ts'

const changeOptions = {
  url: urlOption.optional(),
  events: kindsOption.optional(),
  description: descriptionOption.optional(),
  headers: headersOption.optional(),
  'remove-headers': removedHeadersOption.optional(),
}

export const webhookSet = command({
  name: 'webhook set',
  summary: 'Change an endpoint’s URL, event types, description or custom headers. Omitted values stay unchanged.',
  options: z.strictObject({ ...merchantOptions, ...endpointOptions, ...changeOptions }),
  run: async (values) => {
    const { url, events: kinds, description, headers: names = [], 'remove-headers': remove = [] } = values
    if ([url, kinds, description, values.headers, values['remove-headers']].every((each) => each === undefined)) {
      throw new UsageError(`Nothing to change. Give at least one of --${Object.keys(changeOptions).join(', --')}.`)
    }
    const headers = { set: await readHeaders(names), remove }
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const change = { endpointId: id, url, kinds, description, headers }
      const outcome = await updateWebhookEndpoint(context, operator, tenant, change)
      switch (outcome.is) {
        case 'updated':
        case 'unchanged': {
          const isChanged = outcome.is === 'updated'
          return {
            json: {
              ...{ id, url: outcome.url, events: outcome.kinds, description: outcome.description },
              ...{ headers: outcome.headers, changed: isChanged },
            },
            text: isChanged ? `Updated endpoint ${id}.` : `Endpoint ${id} already has these values.`,
          }
        }
        case 'url_refused':
          throw new UsageError(`--url ${url} is refused: ${outcome.reason}`)
        case 'no_kinds':
          throw new UsageError('--events must name at least one event type.')
        case 'description_too_long':
          throw new UsageError('--description is too long.')
        case 'headers_refused':
          throw headersRefused(outcome)
        // The command does not state which version of the endpoint it changes, so the outcome `stale` cannot occur.
        case 'stale':
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    })
  },
})

export const webhookRotate = command({
  name: 'webhook rotate',
  summary:
    'Rotate the signing secret of an endpoint, and show the new secret. The old secret stays valid for a grace period.',
  options: z.strictObject({
    ...merchantOptions,
    ...endpointOptions,
    'grace-hours': numberOption(
      `Hours for which the old secret stays valid; default ${webhookSecretGraceHours.default}. The value 0 expires all older secrets at once.`,
      { min: 0, max: webhookSecretGraceHours.max },
    ).optional(),
    'end-previous': flag('Expire the secret of an earlier rotation now, if it is still valid.'),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const request = { endpointId: id, graceHours: values['grace-hours'], endsPrevious: values['end-previous'] }
      const outcome = await rotateSigningSecret(context, operator, tenant, request)
      switch (outcome.is) {
        case 'rotated': {
          const { secret, previousExpiresAt } = outcome
          const old =
            previousExpiresAt === null
              ? 'No older signing secret is valid.'
              : `The old signing secret is valid until ${previousExpiresAt}.`
          return {
            json: { id, secret, previousSecretExpiresAt: previousExpiresAt },
            text: `Endpoint ${id} has a new signing secret. ${old}\n\n${secret}`,
          }
        }
        case 'rotation_under_way':
          throw new CommandFailure(
            `The previous secret is valid until ${outcome.previousExpiresAt}, and receivers may still use it. ` +
              'With --end-previous, the previous secret expires now and the current secret after the grace period. With --grace-hours 0, both secrets expire now.',
          )
        case 'grace_refused':
          throw new UsageError(`--grace-hours must be a whole number from 0 to ${webhookSecretGraceHours.max}.`)
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})

export const webhookDelete = command({
  name: 'webhook delete',
  summary: 'Delete an endpoint. Its queued deliveries are not sent; all its deliveries stay listed.',
  options: z.strictObject({ ...merchantOptions, ...endpointOptions }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const outcome = await deleteWebhookEndpoint(context, operator, tenant, id)
      switch (outcome.is) {
        case 'deleted':
          return {
            json: { id, deleted: true, ended: outcome.ended },
            text: `Deleted endpoint ${id}; ${outcome.ended} queued deliveries will not be sent.`,
          }
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})
