import type { EndpointId } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, section } from '../../markup/parts.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { checkBoxes, form, select } from '../kit/form.ts'
import type { Visit } from '../kit/visit.ts'
import { kindChoices } from './fields.ts'
import type { Endpoint } from './find.ts'
import { isRotating } from './state.ts'

/**
 * The submitted and rejected forms of the page of an endpoint. The page shows these forms again with the entered values
 * and the problems.
 */
export interface Drafts {
  /** State of the form that enables the endpoint. */
  readonly state?: Draft
  readonly test?: Draft
  readonly rotation?: Draft
}

interface Enabling {
  readonly id: EndpointId
  readonly skipped: number
  readonly drafts: Drafts
}

export function enableForm(visit: Visit, { id, skipped, drafts }: Enabling): Markup {
  const draft = drafts.state ?? newDraft({ replaysSkipped: 'yes' })
  const replay =
    skipped === 0
      ? nothing
      : checkBoxes(draft, {
          name: 'replaysSkipped',
          label: 'Skipped deliveries',
          choices: [
            ['yes', `Also replay the skipped deliveries of events since the endpoint was disabled: ${count(skipped)}`],
          ],
        })
  const content = form(visit, `/webhooks/${id}/enable`, replay, { submit: 'Enable endpoint' })
  return section('Enable', content)
}

export function disableForm(visit: Visit, id: EndpointId): Markup {
  const text = html`<p>A disabled endpoint receives nothing. Its queued deliveries are held until you enable it.</p>`
  return section(
    'Disable',
    form(visit, `/webhooks/${id}/disable`, text, { submit: 'Disable endpoint', isSecondary: true }),
  )
}

interface Testing {
  readonly drafts: Drafts
  readonly isMain: boolean
}

export function testForm(visit: Visit, { id, kinds }: Endpoint, { drafts, isMain }: Testing): Markup {
  const draft = drafts.test ?? newDraft({ kind: kinds[0] })
  const send = form(
    visit,
    `/webhooks/${id}/test`,
    html`<p>Sends the documented example of an event type, signed like any delivery and marked as a test.</p>
${select(draft, { name: 'kind', label: 'Event type', choices: kindChoices })}`,
    { submit: 'Send a test event', isSecondary: !isMain },
  )
  return section('Test event', send)
}

/** The form that checks whether the receiver verifies signatures. */
export function checkForm(visit: Visit, { id }: Endpoint): Markup {
  const probe = form(
    visit,
    `/webhooks/${id}/check`,
    html`<p>Sends valid, forged, old, altered and unsigned samples, and reports which ones the receiver accepts. The check takes at most 45 seconds.</p>`,
    { submit: 'Check receiver', isSecondary: true },
  )
  return section('Check the receiver', probe)
}

/** Choices for how long the old signing secret stays valid after a rotation, in hours, with their labels. */
const gracePeriods = [
  ['0', 'at once'],
  ['1', 'in 1 hour'],
  ['24', 'in 24 hours'],
  ['168', 'in 7 days'],
] as const

export function secretForms(visit: Visit, endpoint: Endpoint, { rotation }: Drafts): Markup {
  const { id } = endpoint
  const draft = rotation ?? newDraft({ graceHours: '24' })
  const show = form(visit, `/webhooks/${id}/secret`, nothing, {
    ...{ submit: 'Show signing secret', isSecondary: true },
  })
  const rotate = form(
    visit,
    `/webhooks/${id}/rotate`,
    html`${select(draft, { name: 'graceHours', label: 'Expire the old secret', hint: 'Until the old secret expires, each delivery is signed with both secrets.', choices: gracePeriods })}${isRotating(endpoint, visit.nowMs) ? checkBoxes(draft, { name: 'endsPrevious', label: 'Earlier rotation', choices: [['yes', 'Expire the signing secret of an earlier rotation now']] }) : nothing}`,
    { submit: 'Rotate signing secret', isSecondary: true },
  )
  return section('Signing secret', html`${show}${rotate}`)
}
