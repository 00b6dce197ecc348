import { z } from 'zod'
import { marketingChannels } from '../../../registry/customers/customer.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { CallInput, ReplyOf } from '../kit/call.ts'
import { type Draft, fieldValue, newDraft, problemsOf } from '../kit/draft.ts'
import { line, several, textMaxLength } from '../kit/fields.ts'
import { checkBoxes, textArea, textField } from '../kit/form.ts'
import { link, withQuery } from '../kit/parts.ts'
import type { Acted } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'
import { customerPaths } from './paths.ts'

type Customer = ReplyOf<'getCustomer'>

export const customerFields = {
  name: line(textMaxLength),
  email: line(textMaxLength),
  phone: z.string().trim().max(textMaxLength).optional(),
  tags: z.string().max(textMaxLength).optional(),
  note: z.string().max(textMaxLength).optional(),
  marketing: several(z.enum(marketingChannels)),
}

interface Fields {
  readonly name: string
  readonly email: string
  readonly phone?: string | undefined
  readonly tags?: string | undefined
  readonly note?: string | undefined
  readonly marketing: readonly (typeof marketingChannels)[number][]
}

export const channelNames = { email: 'e-mail', sms: 'SMS', whatsapp: 'WhatsApp' } as const

export function customerInputs(draft: Draft): Markup {
  const channels = marketingChannels.map((channel) => [channel, channelNames[channel]] as const)
  return html`${textField(draft, { name: 'name', label: 'Name', isRequired: true })}
${textField(draft, { name: 'email', label: 'E-mail', type: 'email', isRequired: true })}${existingLink(draft)}
${textField(draft, { name: 'phone', label: 'Phone', hint: 'Such as 08031234567.', type: 'text' })}
${textArea(draft, { name: 'tags', label: 'Tags', hint: 'One tag on each line, such as wholesale.' })}
${textArea(draft, { name: 'note', label: 'Internal note', hint: 'Only members see it.' })}
${checkBoxes(draft, { name: 'marketing', label: 'Consents to marketing by', choices: channels })}`
}

/**
 * Returns a link to the customers with the typed e-mail address, if this address was rejected. The reason may be that
 * another customer already has the address.
 */
function existingLink(draft: Draft): Markup {
  if (problemsOf(draft, 'email').length === 0) return nothing
  return html`<p>${link(withQuery(customerPaths.list, { q: fieldValue(draft, 'email') }), 'Find customers with this address')}</p>`
}

export function newCustomerBody({ phone, note, marketing, ...fields }: Fields): CallInput<'createCustomer'>['body'] {
  return {
    ...{ name: fields.name, email: fields.email, tags: tagsOf(fields.tags) },
    ...(phone === undefined ? {} : { phone }),
    ...(note === undefined ? {} : { note }),
    marketing: Object.fromEntries(marketing.map((channel) => [channel, { granted: true }])),
  }
}

/**
 * Returns the body of a request that updates a customer. A marketing consent that the member has not changed is left
 * out, so that the time of the consent stays unchanged.
 */
export function customerChange(customer: Customer, fields: Fields): CallInput<'updateCustomer'>['body'] {
  const changed = marketingChannels.filter(
    (channel) => customer.marketing[channel].granted !== fields.marketing.includes(channel),
  )
  return {
    ...{ name: fields.name, email: fields.email, tags: tagsOf(fields.tags) },
    ...{ phone: fields.phone ?? null, note: fields.note ?? null },
    marketing: Object.fromEntries(changed.map((channel) => [channel, { granted: fields.marketing.includes(channel) }])),
  }
}

function tagsOf(text = ''): string[] {
  return text
    .split('\n')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

export function customerDraft({ name, email, phone, tags, note, marketing, version }: Customer): Draft {
  return newDraft({
    ...{ name, email, phone: phone ?? undefined, tags: tags.join('\n'), note: note ?? undefined },
    marketing: marketingChannels.filter((channel) => marketing[channel].granted),
    version: String(version),
  })
}

export function refusedCustomer(refusal: Refusal, { tags }: Pick<Fields, 'tags'>): Acted {
  if (refusal.code === 'customer_exists')
    return { is: 'refused', field: 'email', message: 'Another customer has this e-mail address.' }
  if (refusal.code === 'customer_anonymised')
    return { is: 'refused', message: 'The customer is anonymised, so nothing can change.' }
  const tagPaths = tagsOf(tags).map((_, index) => [`tags[${index}]`, 'tags'])
  return refusedChange(refusal, 'customer', {
    ...{ name: 'name', email: 'email', phone: 'phone', note: 'note', tags: 'tags' },
    ...Object.fromEntries(tagPaths),
  })
}
