import { z } from 'zod'
import { states } from '../../../registry/values/states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { CallInput, ReplyOf } from '../kit/call.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { checkBox, line, textMaxLength } from '../kit/fields.ts'
import { checkBoxes, select, textArea, textField } from '../kit/form.ts'
import type { Acted } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'

type Address = ReplyOf<'getCustomer'>['addresses'][number]

const text = z.string().trim().max(textMaxLength).optional()

const degrees = z
  .string()
  .trim()
  .regex(/^\d{1,3}(\.\d{1,10})?$/, { error: 'Enter the coordinate in decimal degrees, such as 6.4281.' })
  .transform(Number)
  .optional()

export const addressFields = {
  ...{ recipientName: text, phone: text, line1: line(textMaxLength), line2: text, landmark: text, area: text },
  ...{ city: text, postalCode: text, instructions: text, latitude: degrees, longitude: degrees },
  state: z.enum(states, { error: 'Choose a state.' }).optional(),
  isDefault: checkBox,
}

type Fields = z.output<z.ZodObject<typeof addressFields>>

export function addressInputs(draft: Draft, isOnly: boolean): Markup {
  const choices = [['', 'Determined by the address'] as const, ...states.map((state) => [state, state] as const)]
  const isDefault = checkBoxes(draft, {
    ...{ name: 'isDefault', label: 'Default', choices: [['yes', 'Use this address by default']] },
  })
  return html`${textField(draft, { name: 'line1', label: 'House number and street', isRequired: true })}
${textField(draft, { name: 'line2', label: 'Flat, floor or building' })}
${textField(draft, { name: 'landmark', label: 'Landmark' })}
${textField(draft, { name: 'area', label: 'Neighbourhood or estate' })}
${textField(draft, { name: 'city', label: 'City or town' })}
${select(draft, { name: 'state', label: 'State', choices })}
${textField(draft, { name: 'postalCode', label: 'Postal code' })}
${textField(draft, { name: 'recipientName', label: 'Recipient', hint: 'Fill in this field if the recipient is not the customer.' })}
${textField(draft, { name: 'phone', label: 'Phone of the recipient', hint: 'The rider calls this number, such as 08031234567.' })}
${textArea(draft, { name: 'instructions', label: 'Instructions for the rider' })}
${textField(draft, { name: 'latitude', label: 'Latitude', hint: 'Exact coordinates of the place, if known.', inputMode: 'decimal' })}
${textField(draft, { name: 'longitude', label: 'Longitude', inputMode: 'decimal' })}
${isOnly ? nothing : isDefault}`
}

/** Empty fields are left out, so that they get their defaults. */
export function newAddressBody({ isDefault, ...fields }: Fields): CallInput<'createAddress'>['body'] {
  return { ...fields, ...(isDefault ? { isDefault } : {}) }
}

/**
 * Returns the change that a form makes to an address. An empty form field clears its value, except that an empty city
 * or state field leaves its value unchanged. If the place changed but the coordinates did not, the coordinates are
 * cleared, so that no rider is routed to the former place.
 */
export function addressChange(stored: Address, fields: Fields): CallInput<'updateAddress'>['body'] {
  const { line1, city, state, isDefault } = fields
  return {
    ...{ line1, recipientName: fields.recipientName ?? null, phone: fields.phone ?? null },
    ...{ line2: fields.line2 ?? null, landmark: fields.landmark ?? null, area: fields.area ?? null },
    ...{ postalCode: fields.postalCode ?? null, instructions: fields.instructions ?? null },
    ...coordinatesOf(stored, fields),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    ...(isDefault ? { isDefault } : {}),
  }
}

function coordinatesOf(stored: Address, fields: Fields) {
  const { latitude = null, longitude = null, line1, area = null, city = stored.city, state = stored.state } = fields
  const isSamePlace = line1 === stored.line1 && area === stored.area && city === stored.city && state === stored.state
  const isStored = latitude === stored.latitude && longitude === stored.longitude
  return isStored && !isSamePlace ? { latitude: null, longitude: null } : { latitude, longitude }
}

export function addressDraft(address: Address, version: number): Draft {
  const { latitude, longitude, isDefault } = address
  const coordinate = (value: number | null) => (value === null ? undefined : String(value))
  const given = (value: string | null) => value ?? undefined
  return newDraft({
    ...{ line1: address.line1, line2: given(address.line2), landmark: given(address.landmark) },
    ...{ area: given(address.area), city: address.city, state: address.state },
    ...{ postalCode: given(address.postalCode), recipientName: given(address.recipientName) },
    ...{ phone: given(address.phone), instructions: given(address.instructions) },
    ...{ latitude: coordinate(latitude), longitude: coordinate(longitude) },
    ...{ isDefault: isDefault ? 'yes' : undefined, version: String(version) },
  })
}

const fieldsOfPaths = Object.fromEntries(Object.keys(addressFields).map((name) => [name, name]))

export function refusedAddress(refusal: Refusal): Acted {
  if (refusal.code === 'customer_anonymised')
    return { is: 'refused', message: 'The customer is anonymised, so no address can be stored.' }
  return refusedChange(refusal, 'customer', fieldsOfPaths)
}
