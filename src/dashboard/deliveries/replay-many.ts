import { z } from 'zod'
import { webhookReplayDays } from '../../../registry/values/limits.ts'
import { EndpointId } from '../../../registry/values/vocabulary.ts'
import { previewReplay } from '../../access/preview-replay.ts'
import { type ReplayRequest, replaySince } from '../../access/replay-since.ts'
import { html } from '../../markup/markup.ts'
import { count, empty, heading } from '../../markup/parts.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { choices } from '../kit/fields.ts'
import { checkBoxes, form, select } from '../kit/form.ts'
import { backLink, link } from '../kit/parts.ts'
import { type Acted, type Asked, action, page } from '../kit/route.ts'
import { timeRangeFields, typedTime } from '../kit/time-range.ts'
import type { Visit } from '../kit/visit.ts'
import { endpointChoices } from './table.ts'

const path = '/deliveries/replay'
const permission = 'webhooks:write'
const title = 'Replay deliveries'

const statuses = ['failed', 'skipped', 'succeeded'] as const

const fields = z.strictObject({
  endpoint: z.string({ error: 'Choose an endpoint.' }).pipe(EndpointId),
  since: typedTime,
  until: typedTime.optional(),
  statuses: choices(statuses, 'Choose at least one status.'),
})

export const replayManyPage = page({
  path,
  permission,
  show: async (visit) => {
    const { endpoint } = visit.query
    return formPage(visit, newDraft({ endpoint, statuses: ['failed', 'skipped'] }))
  },
})

export const replayManyAction = action({
  path,
  permission,
  done: 'The replay has started. This page shows its progress.',
  question: (request, visit) => questionAbout(visit, request),
  fields,
  form: (visit, _params, draft) => formPage(visit, draft),
  run: async (visit, _params, request) => {
    const outcome = await replaySince(visit.context, visit.actor, visit.tenant, requestOf(request))
    switch (outcome.is) {
      case 'started':
        return { is: 'done', to: '/deliveries/replays' }
      case 'endpoint_unknown':
        return { is: 'refused', field: 'endpoint', message: 'The endpoint is deleted. Choose another endpoint.' }
      case 'already_running':
        return {
          is: 'refused',
          message:
            'A replay of this endpoint is still running. Wait until it is done, or cancel it under Bulk replays.',
        }
      case 'too_far_back':
      case 'range_is_empty':
      case 'no_statuses':
        return refusals[outcome.is]
    }
  },
})

const refusals = {
  too_far_back: { is: 'refused', field: 'since', message: `Enter a time within the last ${webhookReplayDays} days.` },
  range_is_empty: {
    is: 'refused',
    field: 'since',
    message: 'Enter a time in the past, before the end of the time range.',
  },
  no_statuses: { is: 'refused', field: 'statuses', message: 'Choose at least one status.' },
} as const satisfies Readonly<Record<string, Acted>>

function requestOf({ endpoint: endpointId, ...range }: z.output<typeof fields>): ReplayRequest {
  return { endpointId, ...range }
}

/**
 * Returns the question that a member must confirm before a bulk replay. The question states the number of deliveries
 * that the replay sends.
 */
async function questionAbout(visit: Visit, request: z.output<typeof fields>): Promise<Asked> {
  const outcome = await previewReplay(visit.context, visit.tenant, requestOf(request))
  if (outcome.is !== 'counted') return refusals[outcome.is]
  const { deliveries, isPartial } = outcome
  const number = `${isPartial ? 'at least ' : ''}${deliveries === 1 ? '1 delivery' : `${count(deliveries)} deliveries`}`
  return { text: `The time range has ${number} to send again.`, submit: `Replay ${number}` }
}

async function formPage(visit: Visit, draft: Draft): Promise<Content> {
  const endpoints = await listEndpoints(visit.context.database, visit.tenant.merchantId)
  const inputs = html`${select(draft, { name: 'endpoint', label: 'Endpoint', choices: endpointChoices(endpoints) })}
${timeRangeFields(draft)}
${checkBoxes(draft, { name: 'statuses', label: 'Statuses', hint: 'Receivers must ignore events that they have already handled.', choices: statuses.map((one) => [one, one] as const) })}`
  const content =
    endpoints.length === 0
      ? empty('There is no webhook endpoint.', html`<p>${link('/webhooks/new', 'Create an endpoint')}</p>`)
      : form(visit, path, inputs, { submit: 'Count the deliveries' })
  const main = html`${backLink('/deliveries', 'All deliveries')}${heading(title, link('/deliveries/replays', 'Bulk replays'))}
<p>Sends the events of a time range to one endpoint again, with the same ids and bodies. The next page shows their number and asks before the replay.</p>
${content}`
  return { title, main }
}
