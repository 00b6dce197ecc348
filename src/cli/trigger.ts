import { z } from 'zod'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { triggerNames } from '../../registry/service/triggers/scenarios.ts'
import { createCommerce } from '../client/commerce.ts'
import { NoResponseError } from '../client/no-response.ts'
import { command } from './kit/command.ts'
import { CommandFailure } from './kit/failure.ts'
import { option } from './kit/option.ts'
import { table } from './kit/output.ts'

/** The URL at which `npm start` serves the API by default. */
const localUrl = 'http://127.0.0.1:3000'

export const trigger = command({
  name: 'trigger',
  summary:
    'Cause an event kind or an exceptional state in test mode, such as refund.failed, with a request to the running service.',
  options: z.strictObject({
    name: option(z.enum(triggerNames), {
      value: 'NAME',
      meaning: 'The event kind or the exceptional state. The guide “Triggers” lists all of them.',
      must: `must be one of ${triggerNames.join(', ')}`,
    }),
    token: option(z.string().min(1), { value: 'TOKEN', meaning: 'A token of test mode, such as "$COMMERCE_TOKEN".' }),
    url: option(z.url().default(localUrl), {
      value: 'URL',
      meaning: `The URL of the service; default ${localUrl}.`,
      must: 'must be a URL',
    }),
  }),
  positional: 'name',
  run: async ({ name, token, url }) => {
    const baseUrl = `${url.replace(/\/$/, '')}${apiRoot}`
    const ran = await createCommerce({ baseUrl, token, maxRetries: 0 })
      .POST('/test/triggers', { body: { name } })
      .catch((error: unknown) => {
        if (!(error instanceof NoResponseError)) throw error
        throw new CommandFailure(`The service at ${url} does not respond. Start it, or send --url.`)
      })
    if (ran.data === undefined) {
      const { code, message, fix } = ran.error.error
      throw new CommandFailure(`${code}: ${message} ${fix}`)
    }
    const { records, events, waitSeconds } = ran.data
    return {
      json: ran.data,
      text: [
        table(records, ['type', 'id']),
        '',
        `Events: ${events.join(', ')}.`,
        waitSeconds === 0
          ? 'All effects of the trigger happen within seconds.'
          : `The last effect of the trigger happens within ${waitSeconds} seconds.`,
      ].join('\n'),
    }
  },
})
