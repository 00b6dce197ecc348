import { z } from 'zod'
import { requireAgreement } from './gazetteer/state-of-names.ts'
import { Phone, PhoneInput } from './phone.ts'
import { states } from './states.ts'
import { named, nullable, text } from './vocabulary.ts'

const State = z.enum(states).meta({ description: 'One of the 36 states, or FCT.', examples: ['Lagos'] })

const addressLines = {
  recipientName: text('Name of the recipient.', { isPersonal: true, max: 120, example: 'Adaeze Okafor' }),
  line1: text('House number and street.', { isPersonal: true, max: 200, example: '12 Admiralty Way' }),
  line2: text('Flat, floor or building.', { isPersonal: true, max: 200, example: 'Flat 4B' }),
  landmark: text('Landmark near the address.', {
    isPersonal: true,
    max: 200,
    example: 'Opposite Ebeano Supermarket',
  }),
  area: text('Neighbourhood or estate.', { isPersonal: true, max: 100, example: 'Lekki Phase 1' }),
  city: text('City or town.', { isPersonal: false, max: 100, example: 'Lekki' }),
  postalCode: text('Postal code. Nigerian postal codes have six digits.', {
    isPersonal: true,
    max: 10,
    example: '106104',
  }),
  instructions: text('Delivery instructions for the rider.', {
    isPersonal: true,
    max: 500,
    lines: 'many',
    example: 'Call when you are at the gate.',
  }),
  // The bounding box of Nigeria. Outside the box, latitude and longitude are swapped, or the place is in another
  // country.
  latitude: z
    .number()
    .min(4)
    .max(14.5)
    .meta({ description: 'Latitude in degrees north, within Nigeria.', examples: [6.4474] }),
  longitude: z
    .number()
    .min(2.5)
    .max(15)
    .meta({ description: 'Longitude in degrees east, within Nigeria.', examples: [3.4723] }),
}

export const addressFields = {
  recipientName: nullable(addressLines.recipientName).meta({ description: 'Name of the recipient.' }),
  phone: nullable(Phone).meta({ description: 'Phone number of the recipient.' }),
  line1: addressLines.line1,
  line2: nullable(addressLines.line2).meta({ description: 'Flat, floor or building.' }),
  landmark: nullable(addressLines.landmark).meta({ description: 'Landmark near the address.' }),
  area: nullable(addressLines.area).meta({ description: 'Neighbourhood or estate.' }),
  city: addressLines.city,
  state: State,
  country: z.literal('NG').meta({ description: 'Always NG.', examples: ['NG'] }),
  postalCode: nullable(addressLines.postalCode).meta({
    description: 'Postal code. Nigerian postal codes have six digits.',
  }),
  instructions: nullable(addressLines.instructions).meta({ description: 'Delivery instructions for the rider.' }),
  latitude: nullable(addressLines.latitude).meta({ description: 'Latitude in degrees north.' }),
  longitude: nullable(addressLines.longitude).meta({ description: 'Longitude in degrees east.' }),
}

/** An address as it is stored with a record: defaults fill the omitted fields. */
export const Address = named('Address', z.object(addressFields).meta({ description: 'A postal address in Nigeria.' }))

export type Address = z.output<typeof Address>

type OptionalLine = 'recipientName' | 'line2' | 'landmark' | 'area' | 'postalCode' | 'instructions'

/**
 * Returns an optional field that also accepts null, so that a client can send an address back exactly as the client
 * read it.
 */
function optionalLine(name: OptionalLine) {
  const line = addressLines[name]
  return nullable(line)
    .optional()
    .meta({ description: line.description ?? name })
}

/** Fields of an address in a request. A missing city or state gets a default value (spec 1). */
export const addressInputFields = {
  recipientName: optionalLine('recipientName'),
  phone: nullable(PhoneInput).optional().meta({ description: 'Phone number of the recipient.' }),
  line1: addressLines.line1,
  line2: optionalLine('line2'),
  landmark: optionalLine('landmark'),
  area: optionalLine('area'),
  city: addressLines.city.optional().meta({
    description:
      'City or town. When left out, it is Abuja in the FCT, and the name of the state elsewhere. A recognised city must be in `state`.',
  }),
  state: State.optional().meta({
    description:
      'One of the 36 states, or FCT. When left out, it is derived from a recognised `city` or `area`, else from the coordinates, ' +
      'else from the merchant’s default state. A recognised `city` must be in this state.',
  }),
  country: z
    .literal('NG')
    .optional()
    .meta({ description: 'Always NG.', examples: ['NG'] }),
  postalCode: optionalLine('postalCode'),
  instructions: optionalLine('instructions'),
  latitude: nullable(addressLines.latitude)
    .optional()
    .meta({ description: 'Latitude in degrees north. Send latitude and longitude, or neither.' }),
  longitude: nullable(addressLines.longitude)
    .optional()
    .meta({ description: 'Longitude in degrees east. Send latitude and longitude, or neither.' }),
}

interface Coordinates {
  readonly latitude?: number | null | undefined
  readonly longitude?: number | null | undefined
}

/** Requires that both coordinates are sent, both are null, or both are left out. */
export function requireBothCoordinates({ latitude, longitude }: Coordinates, context: z.core.$RefinementCtx): void {
  if (typeof latitude === typeof longitude) return
  const isLongitudeMissing = longitude === undefined || (longitude === null && latitude !== undefined)
  const path = [isLongitudeMissing ? 'longitude' : 'latitude']
  const message = 'Send `latitude` and `longitude` together.'
  context.addIssue({ code: 'custom', path, message, params: { problem: 'required' } })
}

export const AddressInput = named(
  'AddressInput',
  z
    .strictObject(addressInputFields)
    .superRefine(requireBothCoordinates)
    .superRefine(requireAgreement)
    .meta({ description: 'A postal address in Nigeria.' }),
)

export type AddressInput = z.output<typeof AddressInput>
