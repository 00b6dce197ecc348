import type { LocationSource, Place, PlaceInput, PlaceWarning, Point } from '../../../registry/logistics/place.ts'
import type { State } from '../../../registry/values/vocabulary.ts'
import type { ZoneOutline } from '../../store/logistics/places/zones.ts'
import { metersToZone, straightMeters } from './distance.ts'
import { isOnLand } from './gazetteer/land.ts'
import { findSpot, type Sought, spots } from './gazetteer/spot.ts'
import { stateMiddles } from './gazetteer/states.ts'
import { cellOf, nearestCell, parsePlusCode, stepDegrees } from './plus-code.ts'
import { zoneOf } from './zone-of.ts'

export type PlaceOutcome =
  | { readonly is: 'resolved'; readonly place: Place; readonly warnings: readonly PlaceWarning[] }
  /** The point is in the sea, in a lagoon or abroad: no carrier goes there. */
  | { readonly is: 'outside_coverage'; readonly point: Point }

export interface Surroundings {
  readonly zones: readonly ZoneOutline[]
  /** The merchant’s, where a place says none. */
  readonly defaultState: State
}

/**
 * Understands a place by the surest thing that is said of it: its coordinates, its plus code, its area, its local government
 * area, its state. What is said beside that is never used to move it; where the two do not fit, a warning says so.
 */
export function resolvePlace(input: PlaceInput, surroundings: Surroundings): PlaceOutcome {
  const given = pointGiven(input, input.state ?? surroundings.defaultState)
  if (given.is === 'located') return placeAt(input, given, surroundings)
  const named = placeNamed(input, surroundings)
  return given.is === 'unreadable' ? { ...named, warnings: ['plus_code_unreadable', ...named.warnings] } : named
}

interface Located {
  readonly point: Point
  readonly source: LocationSource
  readonly precisionMeters: number
}

type Given = ({ readonly is: 'located' } & Located) | { readonly is: 'unreadable' } | { readonly is: 'nothing' }

/** A phone’s own position is good to about this. */
const givenPrecisionMeters = 10

function pointGiven(input: PlaceInput, state: State): Given {
  const { location, plusCode } = input
  if (location) return { is: 'located', point: location, source: 'given', precisionMeters: givenPrecisionMeters }
  if (!plusCode) return { is: 'nothing' }
  const found = pointOfCode(plusCode, () => locatedBy(findSpot(state, input), state))
  return found === undefined ? { is: 'unreadable' } : { is: 'located', source: 'plus_code', ...found }
}

/** The cell of a whole code is fourteen metres wide. */
const plusCodePrecisionMeters = 15

/** A code of fewer digits names no more than a quarter, which the rest of the address says better. */
const plusCodeDigitsMin = 8

const metersPerDegree = 111_195

/** A short code is read only by what is nearer than half the way to the next cell it could mean: else it would be a guess. */
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

/** No outline drawn by hand is exact: a house this little outside one is in that zone, if no other has it. */
const outlineToleranceMeters = 1_000

function placeAt(input: PlaceInput, located: Located, { zones, defaultState }: Surroundings): PlaceOutcome {
  const { point } = located
  const inside = zoneOf(point, zones)
  const zone = inside ?? zoneBeside(point, input.state, zones)
  if (zone === undefined && !isOnLand(point)) return { is: 'outside_coverage', point }
  const state = input.state ?? zone?.state ?? defaultState
  const sought = findSpot(state, input)
  const warnings: PlaceWarning[] = []
  if (zone !== inside) warnings.push('outside_zone_outline')
  if (isFarFromState(point, state, zone, zones)) warnings.push('location_far_from_state')
  if (sought.is === 'elsewhere') warnings.push('area_in_other_state')
  if (isFarFrom(point, sought)) warnings.push('location_far_from_area')
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

/** The zones of a state are the whole of it; of the others only the middle and the reach are known. */
function isFarFromState(
  point: Point,
  state: State,
  zone: ZoneOutline | undefined,
  zones: readonly ZoneOutline[],
): boolean {
  if (zone !== undefined) return zone.state !== state
  if (zones.some((each) => each.state === state)) return true
  const [lat, lng, reachKilometers] = stateMiddles[state]
  return straightMeters(point, { lat, lng }) > reachKilometers * 1000
}

/** Four times as far as the area is wide is no longer its edge. */
const farFromArea = 4

function isFarFrom(point: Point, sought: Sought): boolean {
  if (sought.is !== 'found') return false
  return straightMeters(point, sought.spot.point) > farFromArea * sought.spot.precisionMeters
}

/** As fine as a rate card needs it: what is vaguer leaves the zone and the distance open. */
const lowPrecisionMeters = 5_000

function placeNamed(input: PlaceInput, { zones, defaultState }: Surroundings) {
  const state = input.state ?? defaultState
  const sought = findSpot(state, input)
  const located = locatedBy(sought, state)
  // A name that fits several zones must not choose one of them.
  const isInOneZone = sought.is === 'found' && sought.spot.zoneId !== null
  const zone = isInOneZone ? zoneOf(located.point, zones) : undefined
  const warnings: PlaceWarning[] = []
  if (sought.is === 'elsewhere') warnings.push('area_in_other_state')
  if (sought.is === 'unknown' && (input.area || input.lga) && spots.has(state)) warnings.push('area_unknown')
  if (located.precisionMeters >= lowPrecisionMeters) warnings.push('address_low_precision')
  if (!isInOneZone && zones.some((each) => each.state === state)) warnings.push('zone_uncertain')
  return resolved(input, { ...located, state, zoneId: zone?.id ?? null }, warnings)
}

/** Where people of a state live, it may be this far off (design, logistics 7.10). */
const statePrecisionMeters = 30_000

function locatedBy(sought: Sought, state: State): Located {
  if (sought.is === 'found') return sought.spot
  const [lat, lng] = stateMiddles[state]
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
