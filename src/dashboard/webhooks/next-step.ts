import { html, type Markup } from '../../markup/markup.ts'
import { count } from '../../markup/parts.ts'
import type { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import type { EndpointStatistics } from '../../store/webhooks/endpoint-statistics.ts'
import { nextNote } from '../kit/next-note.ts'
import type { Endpoint } from './find.ts'

export type NextStep = 'enable' | 'replay' | 'test'

type Deliveries = Awaited<ReturnType<typeof listDeliveries>>

/**
 * Returns the next step of an endpoint. For a disabled endpoint, it is to enable the endpoint. If earlier deliveries
 * failed but the latest one, such as a test event, succeeded, it is to replay the failed deliveries. Otherwise, it is
 * to send a test event, because a receiver that still fails would fail the replayed deliveries too.
 */
export function nextStepOf({ status, consecutiveFailures }: Endpoint, deliveries: Deliveries): NextStep {
  if (status === 'disabled') return 'enable'
  const latest = deliveries.find(({ attemptCount }) => attemptCount > 0)
  return consecutiveFailures > 0 && latest?.status === 'succeeded' ? 'replay' : 'test'
}

interface Summarised {
  readonly endpoint: Endpoint
  readonly step: NextStep
  readonly day: EndpointStatistics['day']
}

/** States which events the endpoint receives, the results of the last 24 hours, and the next step of the merchant. */
export function summary({ endpoint, step, day }: Summarised): Markup {
  return html`<p>${subscribed(endpoint)} ${outcomeOf(day)}</p>
${nextNote(nextOf(endpoint, step, day))}`
}

/** Maximum number of event types that the summary names. If there are more, the summary states only their number. */
const namedKinds = 3

const names = new Intl.ListFormat('en-GB', { type: 'conjunction' })

function subscribed({ kinds }: Endpoint): string {
  if (kinds.length > namedKinds) return `The events of ${count(kinds.length)} types are sent to this endpoint.`
  return `The events of the ${kinds.length === 1 ? 'type' : 'types'} ${names.format(kinds.toSorted())} are sent to this endpoint.`
}

function outcomeOf({ succeeded, failed }: Summarised['day']): string {
  const all = succeeded + failed
  if (all === 0) return 'No attempt ended in the last 24 hours.'
  if (failed === 0)
    return all === 1
      ? 'The attempt of the last 24 hours succeeded.'
      : `All ${count(all)} attempts of the last 24 hours succeeded.`
  if (succeeded === 0)
    return all === 1
      ? 'The attempt of the last 24 hours failed.'
      : `All ${count(all)} attempts of the last 24 hours failed.`
  return `${count(failed)} of ${count(all)} attempts of the last 24 hours failed.`
}

function nextOf({ consecutiveFailures }: Endpoint, step: NextStep, { failed }: Summarised['day']): string {
  switch (step) {
    case 'enable':
      return 'The endpoint is disabled and receives nothing. Correct the receiver, then enable the endpoint.'
    case 'replay':
      return 'The latest delivery succeeded. Replay the failed deliveries to send their events again.'
    case 'test':
      return failed > 0 || consecutiveFailures > 0
        ? 'Correct the receiver, then send a test event to check it.'
        : 'Send a test event to check the receiver.'
  }
}
