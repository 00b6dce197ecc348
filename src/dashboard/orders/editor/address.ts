import type { Address } from '../../../../registry/values/address.ts'
import { fctAreas } from '../../../../registry/values/gazetteer/areas-fct.ts'
import { lagosAreas } from '../../../../registry/values/gazetteer/areas-lagos.ts'
import { states } from '../../../../registry/values/states.ts'
import { html, type Markup, nothing } from '../../../markup/markup.ts'
import { type Draft, type FieldProblem, problemsOf } from '../../kit/draft.ts'
import { select, textArea, textField } from '../../kit/form.ts'
import { typed, typedFields } from './values.ts'

const usualLines = [
  ['line1', 'House number and street'],
  ['area', 'Neighbourhood or estate'],
  ['landmark', 'Landmark'],
] as const

const rareLines = [
  ['recipientName', 'Recipient’s name', 'If the recipient is not the customer.'],
  ['recipientPhone', 'Recipient’s phone', 'If the rider must call a number other than the customer’s.'],
  ['line2', 'Flat, floor or building'],
  ['city', 'City or town'],
  ['postalCode', 'Postal code'],
] as const

const lineNames = ['line1', 'line2', 'landmark', 'area', 'city', 'recipientName', 'postalCode', 'instructions'] as const

export const addressNames = [...lineNames, 'recipientPhone', 'state'] as const

/** Maps the path of each part of the address in an API request to the name of its form field. */
export const addressPaths: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...lineNames, 'state'].map((name) => [`shippingAddress.${name}`, name])),
  'shippingAddress.phone': 'recipientPhone',
}

/** The areas of the published delivery zones, in alphabetical order. */
const areas = [
  ...new Set(
    [lagosAreas, fctAreas].flatMap((zones) =>
      Object.values(zones)
        .flat()
        .map(([name]) => name),
    ),
  ),
].toSorted((one, other) => one.localeCompare(other, 'en'))

export function addressFields(draft: Draft): Markup {
  const line = ([name, label, hint]: readonly [string, string, string?]) =>
    textField(draft, {
      ...{ name, label },
      ...(hint === undefined ? {} : { hint }),
      ...(name === 'area' ? { suggestions: 'areas' } : {}),
    })
  const choices = [['', 'Determined by the address'] as const, ...states.map((state) => [state, state] as const)]
  const isOpen = rareLines.some(([name]) => typed(draft, name) !== undefined || problemsOf(draft, name).length > 0)
  return html`<div class="columns">${usualLines.map(line)}
${select(draft, { name: 'state', label: 'State', choices })}</div>
<datalist id="areas">${areas.map((area) => html`<option value="${area}"></option>`)}</datalist>
<details${isOpen ? html` open` : nothing}><summary>More about the address</summary><div class="columns">${rareLines.map(line)}</div></details>
${textArea(draft, { name: 'instructions', label: 'Instructions for the rider' })}`
}

export function addressValues(address: Address): Readonly<Record<string, string | undefined>> {
  const { phone, state } = address
  const lines = lineNames.map((name) => [name, address[name] ?? undefined])
  return { ...Object.fromEntries(lines), recipientPhone: phone ?? undefined, state }
}

export function hasAddress(draft: Draft): boolean {
  return addressNames.some((name) => typed(draft, name) !== undefined)
}

/**
 * Returns the address in the form as an API request contains it; undefined if the form has none. The form does not show
 * coordinates. If the place is unchanged, the result has the coordinates of the stored address.
 */
export function addressIn(draft: Draft, stored: Address | null) {
  if (!hasAddress(draft)) return undefined
  const state = states.find((each) => each === typed(draft, 'state'))
  const phone = typed(draft, 'recipientPhone')
  const lines = typedFields(draft, lineNames)
  const given = { ...lines, line1: lines.line1 ?? '', ...(phone === undefined ? {} : { phone }) }
  const address = { ...given, ...(state === undefined ? {} : { state }) }
  const isSamePlace =
    stored !== null &&
    (['line1', 'area', 'city', 'state'] as const).every((name) => (address[name] ?? null) === stored[name])
  if (!isSamePlace) return address
  return { ...address, latitude: stored.latitude, longitude: stored.longitude }
}

export function addressProblems(draft: Draft): readonly FieldProblem[] {
  const isIncomplete = hasAddress(draft) && typed(draft, 'line1') === undefined
  return isIncomplete ? [{ field: 'line1', message: 'Fill in this field, or leave the whole address empty.' }] : []
}
