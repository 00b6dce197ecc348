import { z } from 'zod'
import { eventKinds } from '../../../registry/kit/event.ts'
import { webhookDescriptionMaxLength } from '../../../registry/values/limits.ts'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { html, type Markup } from '../../markup/markup.ts'
import type { AddressPolicy } from '../../outbound/address-policy.ts'
import type { Draft } from '../kit/draft.ts'
import { choices, line } from '../kit/fields.ts'
import { type Choice, checkBoxes, textField } from '../kit/form.ts'
import { registryText } from '../kit/registry-text.ts'
import { headerFields, headerInputs } from './header-fields.ts'

/** Maximum length of an endpoint URL, the same as in the database column. */
const urlMaxLength = 2000

export const endpointFields = {
  url: line(urlMaxLength),
  kinds: choices(eventKinds, 'Choose at least one event type.'),
  description: line(webhookDescriptionMaxLength).optional(),
  ...headerFields,
}

interface EndpointInputs {
  /** The names of the custom headers of the endpoint. */
  readonly storedHeaders: readonly string[]
  readonly policy: AddressPolicy
}

export function endpointInputs(draft: Draft, { storedHeaders, policy }: EndpointInputs): Markup {
  const local = policy.allowsLoopback ? ' A receiver on the machine of the service may use http://.' : ''
  const hint = `The address that receives the events, which starts with https://.${local}`
  const kinds = eventKinds.toSorted().map((kind) => [kind, kind, registryText(events[kind].meaning)] as const)
  return html`${textField(draft, { name: 'url', label: 'URL', type: 'url', hint, isRequired: true })}
${checkBoxes(draft, { name: 'kinds', label: 'Event types', choices: kinds })}
${textField(draft, { name: 'description', label: 'Description', hint: 'The purpose of the endpoint. Optional.' })}
${headerInputs(draft, storedHeaders)}`
}

export const kindChoices: readonly Choice[] = eventKinds.toSorted().map((kind) => [kind, kind])

export const eventKind = z.enum(eventKinds)

export const tooLong = `Use at most ${webhookDescriptionMaxLength} characters.`
