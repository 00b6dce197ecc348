import { z } from 'zod'
import { requireAgreement } from '../values/gazetteer/state-of-names.ts'
import { placeInstructionsMaxLength } from '../values/limits.ts'
import { Phone, PhoneInput } from '../values/phone.ts'
import { impersonalText } from '../values/privacy.ts'
import { states } from '../values/states.ts'
import { Email, named, nullable, text } from '../values/vocabulary.ts'

/** Methods by which the coordinates of a place were found, most reliable first. */
export const locationSources = ['given', 'plus_code', 'geocoded', 'area', 'lga', 'state'] as const
export type LocationSource = (typeof locationSources)[number]

/** Warnings about the location of a pickup or dropoff, with their meanings. No warning prevents a dispatch. */
export const placeWarningMeanings = {
  address_low_precision: 'the location may be wrong by 5 km or more',
  zone_uncertain: 'the address may be in several delivery zones',
  outside_zone_outline: 'the location is slightly outside the boundary of the delivery zone to which it is assigned',
  location_far_from_state: 'the location is outside `state`',
  location_far_from_area: 'the location is far from `area` or `lga`',
  area_unknown: 'neither `area` nor `lga` is a recognised place of the state',
  area_in_other_state: '`area` or `lga` is in another state than the one in `state`',
  plus_code_unreadable: '`plusCode` is not a valid plus code',
} as const
export type PlaceWarning = keyof typeof placeWarningMeanings

const latitude = z
  .number()
  .min(4)
  .max(14.5)
  .meta({ description: 'Latitude in degrees north, within Nigeria.', examples: [6.4474] })

const longitude = z
  .number()
  .min(2.5)
  .max(15)
  .meta({ description: 'Longitude in degrees east, within Nigeria.', examples: [3.4723] })

const pointFields = { lat: latitude, lng: longitude }

export const Point = named('Point', z.object(pointFields).meta({ description: 'Coordinates of a point.' }))

export type Point = z.output<typeof Point>

const PointInput = named('PointInput', z.strictObject(pointFields).meta({ description: 'Coordinates of a point.' }))

const lines = {
  name: text('Name of the sender or the recipient.', {
    isPersonal: true,
    min: 2,
    max: 80,
    example: 'Adaeze Okafor',
  }),
  line1: text('House number and street.', { isPersonal: true, min: 5, max: 200, example: '12 Admiralty Way' }),
  line2: text('Flat, floor or building.', { isPersonal: true, max: 200, example: 'Flat 4B' }),
  area: text('Neighbourhood or estate.', { isPersonal: true, max: 100, example: 'Lekki Phase 1' }),
  lga: text('Local government area.', { isPersonal: false, max: 100, example: 'Eti-Osa' }),
  landmark: text('Landmark near the address.', {
    isPersonal: true,
    max: 140,
    example: 'Opposite Ebeano Supermarket',
  }),
  plusCode: text('Open Location Code (plus code) of the place.', { isPersonal: true, max: 20, example: '6FR5CFWC+XV' }),
  instructions: text('Instructions for the rider.', {
    isPersonal: true,
    max: placeInstructionsMaxLength,
    lines: 'many',
    example: 'Call when you are at the gate.',
  }),
}

const State = z.enum(states).meta({ description: 'One of the 36 states, or FCT.', examples: ['Lagos'] })

type Line = keyof typeof lines

function optional<Name extends Line>(name: Name) {
  const line = lines[name]
  return nullable(line)
    .optional()
    .meta({ description: line.description ?? name })
}

function stored<Name extends Line>(name: Name) {
  const line = lines[name]
  return nullable(line).meta({ description: line.description ?? name })
}

/**
 * A pickup or dropoff in a request. A quote needs only the location; a dispatch also needs the name and the phone
 * number of the contact.
 */
export const PlaceInput = named(
  'PlaceInput',
  z
    .strictObject({
      name: optional('name'),
      phone: nullable(PhoneInput)
        .optional()
        .meta({ description: 'Phone number of the sender or the recipient, which the rider calls.' }),
      email: nullable(Email).optional().meta({ description: 'E-mail address of the sender or the recipient.' }),
      line1: lines.line1,
      line2: optional('line2'),
      area: optional('area'),
      lga: optional('lga'),
      state: State.optional().meta({
        description:
          'One of the 36 states, or FCT. When left out, it is derived from the first of these that is known: the ' +
          'delivery zone that contains the point, a recognised `lga` or `area`, the point, the merchant’s default ' +
          'state. A recognised `lga` must be in this state.',
      }),
      landmark: optional('landmark'),
      plusCode: optional('plusCode'),
      location: nullable(PointInput).optional().meta({ description: 'Exact coordinates of the place, if known.' }),
      instructions: optional('instructions'),
    })
    .superRefine(requireAgreement)
    .meta({ description: 'Pickup or dropoff place. More details make the price and the delivery more reliable.' }),
)

export type PlaceInput = z.output<typeof PlaceInput>

export const Place = named(
  'Place',
  z
    .object({
      name: stored('name'),
      phone: nullable(Phone).meta({
        description: 'Phone number of the sender or the recipient, which the rider calls.',
      }),
      email: nullable(Email).meta({ description: 'E-mail address of the sender or the recipient.' }),
      line1: lines.line1,
      line2: stored('line2'),
      area: stored('area'),
      lga: stored('lga'),
      state: State,
      landmark: stored('landmark'),
      plusCode: stored('plusCode'),
      instructions: stored('instructions'),
      location: Point,
      locationSource: z.enum(locationSources).meta({
        description:
          'How the coordinates of the place were found: `given` in the request, or from the most precise part of the address. ' +
          'More values may be added.',
        examples: ['area'],
      }),
      precisionMeters: z
        .int()
        .min(1)
        .meta({
          description: 'Precision of the coordinates: their possible distance from the address, in metres.',
          examples: [1500],
        }),
      zoneId: nullable(impersonalText()).meta({
        description: 'Identifier of the delivery zone that contains the place. Null if the place is outside all zones.',
        examples: ['lag-lekki-1'],
      }),
    })
    .meta({ description: 'Resolved place.' }),
)

export type Place = z.output<typeof Place>

export const pickupExample = {
  name: 'Ankara House',
  phone: '+2348031234567',
  email: null,
  line1: '7 Adeola Odeku Street',
  line2: null,
  area: 'Victoria Island',
  lga: 'Eti-Osa',
  state: 'Lagos',
  landmark: null,
  plusCode: null,
  instructions: null,
  location: { lat: 6.4281, lng: 3.4219 },
  locationSource: 'area',
  precisionMeters: 1500,
  zoneId: 'lag-island',
} as const satisfies z.input<typeof Place>

export const dropoffExample = {
  name: 'Adaeze Okafor',
  phone: '+2348029876543',
  email: 'adaeze.okafor@example.com',
  line1: '12 Admiralty Way',
  line2: 'Flat 4B',
  area: 'Lekki Phase 1',
  lga: 'Eti-Osa',
  state: 'Lagos',
  landmark: 'Opposite Ebeano Supermarket',
  plusCode: null,
  instructions: 'Call when you are at the gate.',
  location: { lat: 6.4474, lng: 3.4723 },
  locationSource: 'given',
  precisionMeters: 10,
  zoneId: 'lag-lekki-1',
} as const satisfies z.input<typeof Place>
