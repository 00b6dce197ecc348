import { type CheckReceiverOutcome, checkReceiver } from '../../access/check-receiver.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, heading, type Tone, table } from '../../markup/parts.ts'
import type { OutboundRequest } from '../../outbound/safe-fetch.ts'
import type { Content } from '../kit/content.ts'
import { noFields } from '../kit/fields.ts'
import { link } from '../kit/parts.ts'
import { action } from '../kit/route.ts'
import { endpointIdOf, noEndpoint } from './find.ts'
import { runCheck } from './running-checks.ts'
import { endpointContent } from './show.ts'
import { refuseUnreadable } from './unreadable.ts'

/**
 * Time limit in milliseconds for sending all sample events to a receiver. Reverse proxies usually end a response after
 * 60 seconds.
 */
const checkMaxMs = 45_000

/**
 * Sends valid and invalid sample events to a webhook endpoint, and shows which of the samples the endpoint accepted.
 */
export const checkReceiverAction = action({
  path: '/webhooks/{id}/check',
  permission: 'webhooks:write',
  done: 'The receiver was checked.',
  question: null,
  fields: noFields,
  form: (visit, { id }) => endpointContent(visit, id),
  run: async (visit, { id }) => {
    const { context, actor, tenant, vault, member } = visit
    const { liveMerchantId } = member.selected
    const signal = AbortSignal.timeout(checkMaxMs)
    const checking = { ...context, vault, fetch: (request: OutboundRequest) => visit.fetch({ ...request, signal }) }
    const endpointId = endpointIdOf(id)
    const check = () => checkReceiver(checking, actor, tenant, { endpointId })
    const outcome = await runCheck(liveMerchantId, check).catch((error) => refuseUnreadable(visit, error))
    switch (outcome.is) {
      case 'checked':
        return { is: 'reported', content: reportOf(id, outcome) }
      case 'busy':
        return { is: 'refused', message: 'Another check is running. Try again in a minute.' }
      case 'endpoint_unknown':
        throw noEndpoint()
    }
  },
})

type Report = Extract<CheckReceiverOutcome, { readonly is: 'checked' }>

const verdicts: { readonly [Verdict in Report['verdict']]: { readonly text: string; readonly tone: Tone } } = {
  sound: { text: 'The receiver verifies deliveries correctly.', tone: 'good' },
  flawed: { text: 'The receiver does not verify deliveries correctly.', tone: 'bad' },
  inconclusive: {
    text: 'The receiver did not respond to every sample event; every response that arrived was correct.',
    tone: 'waiting',
  },
  unreachable: { text: 'The receiver could not be checked.', tone: 'bad' },
}

function reportOf(id: string, { url, verdict, findings, probes }: Report): Content {
  const { text, tone } = verdicts[verdict]
  const title = 'Receiver check'
  const main = html`${heading(title, badge(verdict, tone))}
<p>${text} ${code(url)}</p>
${findings.length === 0 ? nothing : html`<ul>${findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
${probeTable(probes)}${aboutDuplicates(probes)}
<p>${link(`/webhooks/${id}`, 'Open the endpoint')}</p>`
  return { title, main }
}

function probeTable(probes: Report['probes']): Markup {
  return table('Samples', probes, [
    { title: 'Sample', cell: ({ sent }) => sent },
    { title: 'Expected', cell: ({ expected }) => expected },
    { title: 'Outcome', cell: ({ outcome, isRight }) => badge(outcome, isRight ? 'good' : 'bad') },
    { title: 'Response', cell: ({ httpStatus, errorCode }) => String(httpStatus ?? errorCode) },
    { title: 'Time', cell: ({ durationMs }) => `${durationMs} ms`, isNumber: true },
  ])
}

/**
 * A receiver's response does not show whether the receiver processed a repeated event only once, so the merchant must
 * check this.
 */
function aboutDuplicates(probes: Report['probes']): Markup {
  if (!probes.some(({ name, isRight }) => name === 'duplicate' && isRight)) return nothing
  return html`<p>Check in the receiver’s own records that it processed the repeated event only once.</p>`
}
