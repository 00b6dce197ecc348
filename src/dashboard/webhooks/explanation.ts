import type { explainState } from '../../access/explain-state.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, empty, section, table, time } from '../../markup/parts.ts'
import { actionText } from '../audit/action-text.ts'
import { link } from '../kit/parts.ts'

type Explanation = Awaited<ReturnType<typeof explainState>>
type Step = Explanation['steps'][number]

/**
 * Maximum number of delivery attempts and endpoint changes that the page shows to explain an endpoint's state. Six
 * failures disable an endpoint, so usually far fewer attempts determine its state.
 */
const shownMax = 50

/** Explains why a webhook endpoint is failing or disabled: lists its attempts and changes, the latest first. */
export function explanation({ steps, isComplete }: Explanation): Markup {
  const shown = steps.slice(-shownMax).toReversed()
  const note = isComplete
    ? nothing
    : html`<p class="hint">Attempts before those shown here also affected the state of the endpoint.</p>`
  const list = shown.length === 0 ? empty('No attempts are stored.') : html`${stepTable(shown)}${note}`
  return section('Why the endpoint is in this state', list)
}

function stepTable(steps: readonly Step[]): Markup {
  return table('Attempts and changes of the endpoint, latest first', steps, [
    { title: 'Time', cell: ({ past }) => time(past.at) },
    { title: 'What', cell: what },
    { title: 'Result', cell: result },
    { title: 'Failures in a row', cell: ({ consecutiveFailures }) => String(consecutiveFailures), isNumber: true },
    { title: 'Counted', cell: ({ counted }) => (counted ? 'yes' : 'no') },
    { title: 'State after the attempt', cell: ({ status }) => badge(status, status === 'enabled' ? 'good' : 'bad') },
  ])
}

function what({ past }: Step): Markup | string {
  if (past.is === 'change') return actionText(past.action)
  const { deliveryId, kind, trigger } = past
  return link(`/deliveries/${deliveryId}`, trigger === 'automatic' ? kind : `${kind} (${trigger})`)
}

function result({ past }: Step): Markup | string {
  if (past.is === 'change') return `by ${past.actor}`
  const { outcome, httpStatus, errorCode } = past
  return `${outcome} ${httpStatus ?? errorCode ?? ''}`.trim()
}
