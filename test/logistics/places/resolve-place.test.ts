import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Place, type PlaceInput, type PlaceWarning } from '../../../registry/logistics/place.ts'
import { fctAreas } from '../../../registry/values/gazetteer/areas-fct.ts'
import { lagosAreas } from '../../../registry/values/gazetteer/areas-lagos.ts'
import { type State, states } from '../../../registry/values/states.ts'
import { type PlaceOutcome, resolvePlace } from '../../../src/logistics/places/resolve-place.ts'
import { type ZoneOutline, zoneOutlines } from '../../../src/store/logistics/places/zones.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()

let zones: readonly ZoneOutline[]
beforeAll(async () => {
  zones = await zoneOutlines(opened().database)
})

type GivenPlace = Partial<PlaceInput>

function resolve(input: GivenPlace, defaultState: State = 'Lagos'): PlaceOutcome {
  // The city and the state of a stored pickup address or order address may contradict each other, so the test does not
  // validate the address against the contract.
  return resolvePlace({ line1: '12 Admiralty Way', ...input }, { zones, defaultState })
}

function fieldsOf(outcome: PlaceOutcome): readonly unknown[] {
  if (outcome.is === 'outside_coverage') return [outcome.is]
  const { locationSource, precisionMeters, zoneId, state } = outcome.place
  return [locationSource, precisionMeters, zoneId, state, ...outcome.warnings]
}

/**
 * A test case: its name, the given address, and the expected source, precision, zone, state and warnings of the
 * resolved place.
 */
type Case = readonly [string, GivenPlace, readonly (string | number | null | PlaceWarning)[]]

const lekki = { lat: 6.4474, lng: 3.4723 }

describe('the most precise field of a place', () => {
  test.for<Case>([
    [
      'coordinates',
      { location: lekki, plusCode: '6FR5HM00+', area: 'Lekki Phase 1' },
      ['given', 10, 'lag-lekki-1', 'Lagos'],
    ],
    ['a plus code', { plusCode: '6FR5CFWC+XV', area: 'Lekki' }, ['plus_code', 15, 'lag-lekki-1', 'Lagos']],
    ['a plus code of eight digits', { plusCode: '6FR5CFWC+' }, ['plus_code', 139, 'lag-lekki-1', 'Lagos']],
    ['a short code and the area', { plusCode: 'CFWC+XV', area: 'Oniru' }, ['plus_code', 15, 'lag-lekki-1', 'Lagos']],
    ['a short code and the state', { plusCode: 'CFWC+XV Lagos' }, ['plus_code', 15, 'lag-lekki-1', 'Lagos']],
    [
      'a shorter code and the area',
      { plusCode: 'WC+XV', area: 'Lekki Phase 1' },
      ['plus_code', 15, 'lag-lekki-1', 'Lagos'],
    ],
    ['the area', { area: 'Lekki Phase 1', lga: 'Ikeja' }, ['area', 1500, 'lag-lekki-1', 'Lagos']],
    ['the area, which also decides the state', { area: 'Wuse 2' }, ['area', 1500, 'abj-central', 'FCT']],
    ['the local government area', { lga: 'Ikeja' }, ['lga', 5000, 'lag-ikeja', 'Lagos', 'address_low_precision']],
    ['the state', { state: 'FCT' }, ['state', 30000, null, 'FCT', 'address_low_precision', 'zone_uncertain']],
  ])('the most precise field of a place determines the precision of the place: %s', ([, input, expected]) => {
    expect(fieldsOf(resolve(input))).toEqual(expected)
  })

  test('a place in an area of a state without zones is resolved with the precision `state`, and has no delivery zone', () => {
    expect(fieldsOf(resolve({ state: 'Kano', area: 'Nassarawa GRA' }))).toEqual([
      'state',
      30000,
      null,
      'Kano',
      'address_low_precision',
    ])
  })

  test('a resolved place contains every text field of the request unchanged', () => {
    const input = {
      name: 'Adaeze Okafor',
      phone: '+2348029876543',
      email: 'adaeze.okafor@example.com',
      line2: 'Flat 4B',
      area: 'LEKKI ph. 1',
      lga: 'Eti Osa',
      state: 'Lagos',
      landmark: 'Opposite Ebeano Supermarket',
      plusCode: '6fr5cfwc+xv',
      instructions: 'Call at the gate.',
    } as const
    const outcome = resolve(input)
    expect(outcome).toMatchObject({ is: 'resolved', place: { ...input, line1: '12 Admiralty Way' }, warnings: [] })
    if (outcome.is === 'resolved') expect(Place.parse(outcome.place)).toEqual(outcome.place)
  })

  test('omitted and null fields of a place are null in the resolved place', () => {
    const nothing = { name: null, area: null, lga: null, plusCode: null, location: null, landmark: null }
    expect(resolve(nothing)).toEqual(resolve({}))
    expect(resolve({})).toMatchObject({ place: { name: null, phone: null, plusCode: null, instructions: null } })
  })
})

describe('spellings of areas', () => {
  test.for<[State, string, string | null]>([
    ['Lagos', 'Lekki Phase One', 'lag-lekki-1'],
    ['Lagos', 'LEKKI PHASE I', 'lag-lekki-1'],
    ['Lagos', 'lekki ph1', 'lag-lekki-1'],
    ['Lagos', 'Lekki Phase II', 'lag-lekki-2'],
    ['Lagos', 'V.I.', 'lag-island'],
    ['Lagos', 'Victoria Island, Lagos', 'lag-island'],
    ['Lagos', 'Off Chevron Drive, Chevron, Lekki', 'lag-lekki-2'],
    ['Lagos', 'Ebute-Meta', 'lag-mainland'],
    ['Lagos', 'Ṣómólú', 'lag-mainland'],
    ['Lagos', 'Magodo Phase 2 Estate', 'lag-kosofe'],
    ['Lagos', 'festac', 'lag-apapa-festac'],
    ['Lagos', 'Ikeja', 'lag-ikeja'],
    ['Lagos', 'Alimosho LGA', 'lag-west'],
    ['Lagos', 'Lekki', null],
    ['FCT', 'Wuse II', 'abj-central'],
    ['FCT', 'Gwarimpa Estate', 'abj-north-west'],
    ['FCT', 'Garki, Abuja', 'abj-central'],
    ['FCT', 'AMAC', null],
  ])('in the state %s, the area name “%s” is resolved', ([state, area, zoneId]) => {
    const outcome = resolve({ state, area })
    expect(outcome).toMatchObject({ is: 'resolved', place: { zoneId, area } })
    const [source] = fieldsOf(outcome)
    expect(['area', 'lga']).toContain(source)
  })

  test('every area name of the gazetteer resolves to its delivery zone, ignoring case', () => {
    for (const [state, areas] of [
      ['Lagos', lagosAreas],
      ['FCT', fctAreas],
    ] as const) {
      for (const [zone, rows] of Object.entries(areas)) {
        for (const [name, , , ...others] of rows) {
          for (const area of [name, ...others, name.toUpperCase()]) {
            expect(fieldsOf(resolve({ state, area })), area).toEqual(['area', 1500, zone, state])
          }
        }
      }
    }
  })
})

describe('the state of a place', () => {
  test('the state of a place defaults to the merchant’s state', () => {
    expect(fieldsOf(resolve({ area: 'Garki' }, 'FCT'))).toEqual(['area', 1500, 'abj-central', 'FCT'])
    expect(fieldsOf(resolve({}, 'Rivers'))).toEqual(['state', 30000, null, 'Rivers', 'address_low_precision'])
  })

  test('the state of a place defaults to the state of the zone that contains the place’s coordinates', () => {
    const wuse = { lat: 9.0765, lng: 7.4701 }
    expect(fieldsOf(resolve({ location: wuse, area: 'Wuse 2' }))).toEqual(['given', 10, 'abj-central', 'FCT'])
  })

  test('a point outside all zones is in the default state if it is within the radius of the default state, and otherwise in the nearest state', () => {
    expect(fieldsOf(resolve({ location: { lat: 12, lng: 8.52 } }))).toEqual(['given', 10, null, 'Kano'])
    expect(resolve({ location: { lat: 7.15, lng: 3.35 } })).toMatchObject({ place: { state: 'Lagos' } })
    expect(resolve({ location: { lat: 7.15, lng: 3.35 } }, 'Ogun')).toMatchObject({ place: { state: 'Ogun' } })
  })

  test('the state of a place follows from a known area, even if the merchant is in another state', () => {
    expect(fieldsOf(resolve({ area: 'Wuse 2' }, 'Rivers'))).toEqual(['area', 1500, 'abj-central', 'FCT'])
    expect(resolve({ area: 'Bodija, Ibadan' })).toMatchObject({ place: { state: 'Oyo', locationSource: 'state' } })
  })

  test('a short plus code is completed in the state of a known area, even if the merchant is in another state', () => {
    const place = { plusCode: '3FGC+J2', area: 'Wuse 2' }
    expect(fieldsOf(resolve(place))).toEqual(['plus_code', 15, 'abj-central', 'FCT'])
  })

  test('the state of a point outside all zones follows from a known city, even if the point is near the merchant’s state', () => {
    const place = { location: { lat: 7.15, lng: 3.35 }, area: 'Abeokuta' }
    expect(resolve(place)).toMatchObject({ place: { state: 'Ogun', locationSource: 'given' } })
  })

  test('the state of a place is not derived from an area name that exists in several states', () => {
    expect(resolve({ area: 'Garki' }, 'Lagos')).toMatchObject({ place: { state: 'Lagos' } })
  })

  test('a place may consist of a state alone, for each of the 37 states', () => {
    for (const state of states) {
      expect(resolve({ state })).toMatchObject({
        is: 'resolved',
        place: { state, zoneId: null, locationSource: 'state' },
      })
    }
  })
})

describe('a field of a place that contradicts the location', () => {
  test.for<Case>([
    [
      'a point in Lagos for Kano',
      { location: lekki, state: 'Kano' },
      ['given', 10, 'lag-lekki-1', 'Kano', 'location_far_from_state'],
    ],
    [
      'a point in Kano for Lagos',
      { location: { lat: 12, lng: 8.52 }, state: 'Lagos' },
      ['given', 10, null, 'Lagos', 'location_far_from_state'],
    ],
    ['a point in Kano for Kano', { location: { lat: 12, lng: 8.52 }, state: 'Kano' }, ['given', 10, null, 'Kano']],
    [
      'a point in Ibadan for Enugu',
      { location: { lat: 7.38, lng: 3.9 }, state: 'Enugu' },
      ['given', 10, null, 'Enugu', 'location_far_from_state'],
    ],
    [
      'a point in Abuja for Lagos',
      { location: { lat: 9.06, lng: 7.49 }, state: 'Lagos' },
      ['given', 10, 'abj-central', 'Lagos', 'location_far_from_state'],
    ],
    [
      'a point in Lekki for Ikorodu',
      { location: lekki, area: 'Ikorodu' },
      ['given', 10, 'lag-lekki-1', 'Lagos', 'location_far_from_area'],
    ],
    [
      'a point in Lekki for Maitama',
      { location: lekki, area: 'Maitama' },
      ['given', 10, 'lag-lekki-1', 'Lagos', 'area_in_other_state'],
    ],
    [
      'an area of another state',
      { area: 'Maitama', state: 'Lagos' },
      ['state', 30000, null, 'Lagos', 'area_in_other_state', 'address_low_precision', 'zone_uncertain'],
    ],
    [
      'an unknown area',
      { area: 'Gotham' },
      ['state', 30000, null, 'Lagos', 'area_unknown', 'address_low_precision', 'zone_uncertain'],
    ],
    [
      'an unknown area with a known local government area',
      { area: 'Gotham', lga: 'Epe' },
      ['lga', 5000, 'lag-epe', 'Lagos', 'address_low_precision'],
    ],
    [
      'a local government area across several zones',
      { lga: 'Eti-Osa' },
      ['lga', 5000, null, 'Lagos', 'address_low_precision', 'zone_uncertain'],
    ],
    [
      'Karu of Nasarawa, beside that of the FCT',
      { state: 'Nasarawa', area: 'Karu' },
      ['state', 30000, null, 'Nasarawa', 'address_low_precision'],
    ],
    [
      'a house on the beach',
      { location: { lat: 6.4165, lng: 3.46 } },
      ['given', 10, 'lag-lekki-1', 'Lagos', 'outside_zone_outline'],
    ],
  ])('a field that contradicts the resolved location of a place is reported and does not change the location: %s', ([
    ,
    input,
    expected,
  ]) => {
    expect(fieldsOf(resolve(input))).toEqual(expected)
  })

  test.for<[string, string]>([
    ['malformed', 'somewhere'],
    ['misspelt', '6FR5CFWA+XV'],
    ['as large as half of Lagos', '6FR50000+'],
    ['only complete with a street', '+XV'],
  ])('a plus code that is %s is reported as unreadable, and the place is located by its area', ([, plusCode]) => {
    expect(fieldsOf(resolve({ plusCode, area: 'Yaba' }))).toEqual([
      'area',
      1500,
      'lag-mainland',
      'Lagos',
      'plus_code_unreadable',
    ])
  })

  test('a short plus code far from the centre of the state is not completed', () => {
    expect(fieldsOf(resolve({ plusCode: 'WC+XV', lga: 'Ikeja' }))).toEqual([
      'lga',
      5000,
      'lag-ikeja',
      'Lagos',
      'plus_code_unreadable',
      'address_low_precision',
    ])
  })
})

describe('a place outside the coverage', () => {
  test.for<[string, GivenPlace]>([
    ['the sea off Lagos', { location: { lat: 6.3, lng: 3.4 } }],
    ['the sea, in any given state', { location: { lat: 6.3, lng: 3.4 }, state: 'Kano' }],
    ['the sea off Port Harcourt', { location: { lat: 4.05, lng: 7.0 }, state: 'Rivers' }],
    ['the middle of Lagos Lagoon', { location: { lat: 6.5, lng: 3.5 } }],
    ['Lekki Lagoon', { location: { lat: 6.51, lng: 4.13 } }],
    ['Cameroon', { location: { lat: 4.155, lng: 9.24 }, state: 'Cross River' }],
    ['Niger', { location: { lat: 13.8, lng: 8.99 }, state: 'Katsina' }],
    ['the sea by its plus code', { plusCode: '6FR58C22+22' }],
    ['Zürich by its plus code', { plusCode: '8FVC9G8F+6X' }],
  ])('the place %s is rejected as outside the coverage', ([, input]) => {
    expect(fieldsOf(resolve(input))).toEqual(['outside_coverage'])
  })
})

describe('a randomly generated place', () => {
  // The API contract rejects blank texts, so the test skips them.
  const isReadable = (text: string) => text.trim() !== ''
  const name = fc.string({ minLength: 1, maxLength: 100 }).filter(isReadable)
  const code = fc.string({ minLength: 1, maxLength: 20 }).filter(isReadable)
  const input = fc.record(
    {
      area: fc.option(fc.oneof(name, fc.constantFrom('Ikeja', 'Wuse', 'Lekki'))),
      lga: fc.option(fc.oneof(name, fc.constantFrom('Eti-Osa', 'Kuje'))),
      state: fc.constantFrom(...states),
      plusCode: fc.option(fc.oneof(code, fc.constantFrom('CFWC+XV', '6FR5CFWC+XV'))),
      location: fc.option(
        fc.record({
          lat: fc.double({ min: 4, max: 14.5, noNaN: true }),
          lng: fc.double({ min: 2.5, max: 15, noNaN: true }),
        }),
      ),
    },
    { requiredKeys: [] },
  )

  test('any place is either rejected, or resolved in its state with unchanged coordinates', () => {
    fc.assert(
      fc.property(input, fc.constantFrom(...states), (input, defaultState) => {
        const outcome = resolve(input, defaultState)
        if (outcome.is === 'outside_coverage') return
        const { place, warnings } = outcome
        expect(Place.parse(place)).toEqual(place)
        expect(new Set(warnings).size).toBe(warnings.length)
        if (input.state !== undefined) expect(place.state).toBe(input.state)
        if (input.location) expect(place.location).toEqual(input.location)
        if (place.zoneId !== null && !warnings.includes('location_far_from_state')) {
          expect(zones.find(({ id }) => id === place.zoneId)?.state).toBe(place.state)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
