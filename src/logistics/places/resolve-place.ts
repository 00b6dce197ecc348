import type { LocationSource, Place, PlaceInput, PlaceWarning, Point } from '../../../registry/logistics/place.ts'
import { stateCentres, stateOfPoint } from '../../../registry/values/gazetteer/state-centres.ts'
import { stateOfNames } from '../../../registry/values/gazetteer/state-of-names.ts'
import type { State } from '../../../registry/values/states.ts'
import type { ZoneOutline } from '../../store/logistics/places/zones.ts'
import { metersToZone, straightMeters } from './distance.ts'
import { isOnLand } from './gazetteer/land.ts'
import { findSpot, type SpotOutcome, spots } from './gazetteer/spot.ts'
import { cellOf, nearestCell, parsePlusCode, stepDegrees } from './plus-code.ts'
import { zoneOf } from './zone-of.ts'

export type PlaceOutcome =
  | { readonly is: 'resolved'; readonly place: Place; readonly warnings: readonly PlaceWarning[] }
  /** The coordinates of the address are in the sea, in a lagoon or abroad, where no carrier delivers. */
  | { readonly is: 'outside_coverage'; readonly point: Point }

export interface Surroundings {
  readonly zones: readonly ZoneOutline[]
  /**
   * The merchant's default state. It applies to an address that names neither a state nor a known area, unless the
   * coordinates of the address are in another state.
   */
  readonly defaultState: State
}

/**
 * Determines the coordinates of an address from its most precise field: coordinates, plus code, area, local government
 * area, state, in this order. The other fields do not change the location; if they contradict it, a warning is
 * returned.
 */
export function resolvePlace(input: PlaceInput, surroundings: Surroundings): PlaceOutcome {
  const given = pointGiven(input, input.state ?? stateOfNames(input) ?? surroundings.defaultState)
  if (given.is === 'located') return placeAt(input, given, surroundings)
  const named = placeNamed(input, surroundings)
  return given.is === 'unreadable' ? { ...named, warnings: ['plus_code_unreadable', ...named.warnings] } : named
}

interface Located {
  readonly point: Point
  readonly source: LocationSource
  readonly precisionMeters: number
}

type GivenPoint = ({ readonly is: 'located' } & Located) | { readonly is: 'unreadable' } | { readonly is: 'missing' }

/** Precision in metres of given coordinates: the usual accuracy of a phone's position. */
const givenPrecisionMeters = 10

function pointGiven(input: PlaceInput, state: State): GivenPoint {
  const { location, plusCode } = input
  if (location) return { is: 'located', point: location, source: 'given', precisionMeters: givenPrecisionMeters }
  if (!plusCode) return { is: 'missing' }
  const found = pointOfCode(plusCode, () => locatedBy(findSpot(state, input), state))
  return found === undefined ? { is: 'unreadable' } : { is: 'located', source: 'plus_code', ...found }
}

/**
 * Precision in metres of a place that is given by a full plus code. A full plus code names a cell that is fourteen
 * metres wide.
 */
const plusCodePrecisionMeters = 15

/**
 * Minimum number of digits of a plus code that is used. A shorter code names only a district, which the other address
 * fields describe more precisely.
 */
const plusCodeDigitsMin = 8

const metersPerDegree = 111_195

/**
 * A short plus code matches many cells of the grid, and the cell nearest to a reference place is selected. If the
 * location of this place is uncertain by half of the distance between the cells or more, the code is treated as
 * unreadable.
 */
function pointOfCode(text: string, nearby: () => Located): Omit<Located, 'source'> | undefined {
  const code = parsePlusCode(text)
  if (code === undefined || code.digits.length + code.missing < plusCodeDigitsMin) return undefined
  const reference = code.missing === 0 ? undefined : nearby()
  const reachMeters = (stepDegrees(code) / 2) * metersPerDegree
  if (reference !== undefined && reference.precisionMeters >= reachMeters) return undefined
  const cell = reference === undefined ? cellOf(code.digits) : nearestCell(code, reference.point)
  const halfMeters = Math.round((Math.max(cell.heightDegrees, cell.widthDegrees) / 2) * metersPerDegree)
  return { point: cell.centre, precisionMeters: Math.max(plusCodePrecisionMeters, halfMeters) }
}

/**
 * Maximum distance in metres at which a point outside a delivery zone still belongs to it, if the point is in no other
 * zone. The outlines of zones are drawn by hand and inexact.
 */
const outlineToleranceMeters = 1_000

function placeAt(input: PlaceInput, located: Located, { zones, defaultState }: Surroundings): PlaceOutcome {
  const { point } = located
  const inside = zoneOf(point, zones)
  const zone = inside ?? zoneBeside(point, input.state, zones)
  if (zone === undefined && !isOnLand(point)) return { is: 'outside_coverage', point }
  const state = input.state ?? zone?.state ?? stateOfNames(input) ?? stateOfPoint(point, defaultState)
  const lookup = findSpot(state, input)
  const warnings: PlaceWarning[] = []
  if (zone !== inside) warnings.push('outside_zone_outline')
  if (isFarFromState(point, state, zone, zones)) warnings.push('location_far_from_state')
  if (lookup.is === 'in_other_state') warnings.push('area_in_other_state')
  if (isFarFrom(point, lookup)) warnings.push('location_far_from_area')
  return resolved(input, { ...located, state, zoneId: zone?.id ?? null }, warnings)
}

function zoneBeside(point: Point, state: State | undefined, zones: readonly ZoneOutline[]): ZoneOutline | undefined {
  const [nearest] = zones
    .filter((zone) => state === undefined || zone.state === state)
    .map((zone) => ({ zone, meters: metersToZone(point, zone) }))
    .filter(({ meters }) => meters <= outlineToleranceMeters)
    .sort((one, other) => one.meters - other.meters)
  return nearest?.zone
}

/**
 * Whether a point is far from the state of its address. The zones of Lagos and the FCT cover these states completely;
 * other states have a centre and a radius.
 */
function isFarFromState(
  point: Point,
  state: State,
  zone: ZoneOutline | undefined,
  zones: readonly ZoneOutline[],
): boolean {
  if (zone !== undefined) return zone.state !== state
  if (zones.some((each) => each.state === state)) return true
  const [lat, lng, reachKilometers] = stateCentres[state]
  return straightMeters(point, { lat, lng }) > reachKilometers * 1000
}

/** A point is not in an area if it is further from the area's centre than this multiple of the area's precision. */
const farFromArea = 4

function isFarFrom(point: Point, lookup: SpotOutcome): boolean {
  if (lookup.is !== 'found') return false
  return straightMeters(point, lookup.spot.point) > farFromArea * lookup.spot.precisionMeters
}

/**
 * If the position of an address is uncertain by at least this many metres, rate-card prices are unreliable, because the
 * zone and the distance are uncertain too.
 */
const lowPrecisionMeters = 5_000

function placeNamed(input: PlaceInput, { zones, defaultState }: Surroundings) {
  const state = input.state ?? stateOfNames(input) ?? defaultState
  const lookup = findSpot(state, input)
  const located = locatedBy(lookup, state)
  // An area may cover several delivery zones. The name of this area does not determine one zone.
  const isInOneZone = lookup.is === 'found' && lookup.spot.zoneId !== null
  const zone = isInOneZone ? zoneOf(located.point, zones) : undefined
  const warnings: PlaceWarning[] = []
  if (lookup.is === 'in_other_state') warnings.push('area_in_other_state')
  if (lookup.is === 'unknown' && (input.area || input.lga) && spots.has(state)) warnings.push('area_unknown')
  if (located.precisionMeters >= lowPrecisionMeters) warnings.push('address_low_precision')
  if (!isInOneZone && zones.some((each) => each.state === state)) warnings.push('zone_uncertain')
  return resolved(input, { ...located, state, zoneId: zone?.id ?? null }, warnings)
}

/**
 * Precision in metres of an address of which only the state is known. Most people of a state live within this distance
 * from its centre.
 */
const statePrecisionMeters = 30_000

function locatedBy(lookup: SpotOutcome, state: State): Located {
  if (lookup.is === 'found') return lookup.spot
  const [lat, lng] = stateCentres[state]
  return { point: { lat, lng }, source: 'state', precisionMeters: statePrecisionMeters }
}

function resolved(
  input: PlaceInput,
  { point, source, precisionMeters, state, zoneId }: Located & Pick<Place, 'state' | 'zoneId'>,
  warnings: readonly PlaceWarning[],
) {
  const place: Place = {
    name: input.name ?? null,
    phone: input.phone ?? null,
    email: input.email ?? null,
    line1: input.line1,
    line2: input.line2 ?? null,
    area: input.area ?? null,
    lga: input.lga ?? null,
    state,
    landmark: input.landmark ?? null,
    plusCode: input.plusCode ?? null,
    instructions: input.instructions ?? null,
    location: { lat: point.lat, lng: point.lng },
    locationSource: source,
    precisionMeters,
    zoneId,
  }
  return { is: 'resolved', place, warnings } as const
}
