import { z } from 'zod'
import { webhookSecretGraceHours } from '../../registry/values/limits.ts'
import { deleteWebhookEndpoint } from '../access/delete-webhook-endpoint.ts'
import { rotateSigningSecret } from '../access/rotate-signing-secret.ts'
import { updateWebhookEndpoint } from '../access/update-webhook-endpoint.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { endpointIdOf, endpointOptions, noEndpoint } from './endpoint.ts'
import { CommandFailure, UsageError } from './failure.ts'
import { operator } from './operator.ts'
import { descriptionOption, flag, kindsOption, merchantOptions, numberOption, urlOption } from './option.ts'
import { tenantOf } from './tenant.ts'

const changeOptions = {
  url: urlOption.optional(),
  events: kindsOption.optional(),
  description: descriptionOption.optional(),
}

export const webhookSet = command({
  name: 'webhook set',
  summary: 'Change an endpoint’s URL, events or description. What is left out stays.',
  options: z.strictObject({ ...merchantOptions, ...endpointOptions, ...changeOptions }),
  run: (values) => {
    const { url, events: kinds, description } = values
    if (url === undefined && kinds === undefined && description === undefined) {
      throw new UsageError(`There is nothing to set: give one of --${Object.keys(changeOptions).join(', --')}.`)
    }
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = endpointIdOf(values.endpoint)
      const change = { endpointId: id, url, kinds, description }
      const outcome = await updateWebhookEndpoint(context, operator, tenant, change)
      switch (outcome.is) {
        case 'updated':
        case 'already_so': {
          const isChanged = outcome.is === 'updated'
          return {
            json: { id, url: outcome.url, events: outcome.kinds, description: outcome.description, changed: isChanged },
            text: isChanged ? `Endpoint ${id} was changed.` : `Endpoint ${id} was so already.`,
          }
        }
        case 'url_refused':
          throw new UsageError(`--url ${url} is refused: ${outcome.reason}`)
        case 'no_kinds':
          throw new UsageError('--events must name at least one kind.')
        case 'description_too_long':
          throw new UsageError('--description is too long.')
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    })
  },
})

export const webhookRotate = command({
  name: 'webhook rotate',
  summary: 'Give an endpoint a new signing secret and show it. The old one stays valid for a while.',
  options: z.strictObject({
    ...merchantOptions,
    ...endpointOptions,
    'grace-hours': numberOption(
      `How long the old secret stays valid; ${webhookSecretGraceHours.default} when left out, 0 ends every older one at once.`,
      { min: 0, max: webhookSecretGraceHours.max },
    ).optional(),
    'end-previous': flag('While the old secret of an earlier rotation is still valid, end that one now.'),
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
            previousExpiresAt === null ? 'No older one is valid.' : `The old one is valid until ${previousExpiresAt}.`
          return {
            json: { id, secret, previousSecretExpiresAt: previousExpiresAt },
            text: `Endpoint ${id} has a new signing secret. ${old}\n\n${secret}`,
          }
        }
        case 'rotation_under_way':
          throw new CommandFailure(
            `The secret before the current one is valid until ${outcome.previousExpiresAt}, and receivers may still use it. ` +
              '--end-previous ends it now and keeps the current one for the grace; --grace-hours 0 ends both.',
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
  summary: 'End an endpoint for good. What is queued is not sent; its deliveries stay listed.',
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
            text: `Endpoint ${id} was deleted; ${outcome.ended} queued deliveries are not sent.`,
          }
        case 'endpoint_unknown':
          throw noEndpoint(id)
      }
    }),
})
