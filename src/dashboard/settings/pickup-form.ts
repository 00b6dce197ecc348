import type { PlaceInput } from '../../../registry/logistics/place.ts'
import { states } from '../../../registry/values/states.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { form, hiddenField, select, textField } from '../kit/form.ts'
import type { Visit } from '../kit/visit.ts'
import { settingPaths } from './paths.ts'
import { pickupVersion } from './pickup-version.ts'

const lines = [
  ['name', 'Sender’s name'],
  ['phone', 'Phone', 'The rider calls this number, such as 08031234567.'],
  ['email', 'E-mail'],
  ['line1', 'House number and street'],
  ['line2', 'Flat, floor or building'],
  ['area', 'Neighbourhood or estate'],
  ['lga', 'Local government area'],
  ['landmark', 'Landmark'],
  ['plusCode', 'Plus code', 'Such as 6FR5CFWC+XV.'],
  ['instructions', 'Instructions for the rider'],
  ['lat', 'Latitude', 'Exact coordinates of the place, if known.'],
  ['lng', 'Longitude'],
] as const

export function pickupDraft(place: PlaceInput | null): Draft {
  const version = pickupVersion(place)
  if (place === null) return newDraft({ version })
  const { location, ...texts } = place
  const given = Object.entries(texts).flatMap(([name, value]) => (value == null ? [] : [[name, value]]))
  const point = location == null ? {} : { lat: String(location.lat), lng: String(location.lng) }
  return newDraft({ ...Object.fromEntries(given), ...point, version })
}

export function pickupForm(visit: Visit, draft: Draft, isSecondary: boolean): Markup {
  const choices = [['', 'Determined by the address'] as const, ...states.map((state) => [state, state] as const)]
  const line = ([name, label, hint]: readonly [string, string, string?]) =>
    textField(draft, { name, label, ...(hint === undefined ? {} : { hint }) })
  const inputs = html`${hiddenField('version', fieldValue(draft, 'version'))}${lines.map(line)}${select(draft, { name: 'state', label: 'State', choices })}`
  return html`<p>Riders collect shipments here unless a shipment names another place. Leave all fields empty for no default.</p>
${form(visit, settingPaths.pickup, inputs, { submit: 'Save pickup address', isSecondary })}`
}
