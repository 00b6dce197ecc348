import type { z } from 'zod'
import { type State, states } from '../states.ts'
import { fctAreas } from './areas-fct.ts'
import { lagosAreas } from './areas-lagos.ts'
import { cities, sharedNames } from './cities.ts'
import { fctLgas, lagosLgas } from './lgas.ts'
import type { AreasOfZones, WideRow } from './rows.ts'
import { cityKeyOf, keyOf, partsOf } from './spelling.ts'

/** The fields of an address from which its state can be derived. */
export interface AddressNames {
  readonly area?: string | null | undefined
  readonly lga?: string | null | undefined
  readonly city?: string | null | undefined
}

/**
 * Returns the state of an address that names no state. A local government area or city of the gazetteer takes
 * precedence over the name of an area. Undefined when no name belongs to exactly one state.
 */
export function stateOfNames(names: AddressNames): State | undefined {
  return (
    stateOfName(names.lga, stateOfLga) ??
    stateOfCity(names.city) ??
    stateOfName(names.area, stateOfArea) ??
    stateOfName(names.city, stateOfArea)
  )
}

/**
 * Returns the state of a city that the gazetteer contains. Undefined for the name of an area, because other states may
 * have an area of the same name.
 */
export function stateOfCity(city: string | null | undefined): State | undefined {
  return stateOfName(city, stateOfTown)
}

/** Returns the default city of an address that names no city. */
export function cityOfState(state: State): string {
  return state === 'FCT' ? 'Abuja' : state
}

export interface Contradiction {
  readonly message: string
  /** The state that agrees with the other fields of the address. The error message suggests it. */
  readonly example: State
}

/**
 * Returns how the state of an address contradicts its local government area or its city. The name of an area contradicts
 * no state: the gazetteer has the areas of Lagos and the FCT only, and many of their names exist in other states too.
 */
export function contradictionOf({
  state,
  lga,
  city,
}: AddressNames & { readonly state?: State | undefined }): Contradiction | undefined {
  if (state === undefined) return undefined
  const known = { lga: stateOfName(lga, stateOfLga), city: stateOfCity(city) }
  for (const field of ['lga', 'city'] as const) {
    const example = known[field]
    if (example === undefined || example === state) continue
    return { message: `Must be \`${example}\`, the state of \`${field}\`, or be left out.`, example }
  }
  return undefined
}

/**
 * Requires that the state of an address agrees with its local government area or city, if the gazetteer contains it.
 */
export function requireAgreement(
  names: AddressNames & { readonly state?: State | undefined },
  context: z.core.$RefinementCtx,
): void {
  const found = contradictionOf(names)
  if (found === undefined) return
  const { message, example } = found
  context.addIssue({ code: 'custom', path: ['state'], message, params: { problem: 'invalid_value', example } })
}

/**
 * Returns the state to which the names in a text belong, as far as the gazetteer contains them. Undefined when they
 * belong to no state or to several states.
 */
function stateOfName(
  text: string | null | undefined,
  stateOfPart: (part: string) => State | undefined,
): State | undefined {
  const known = partsOf(text).filter((part) => !sharedKeys.has(keyOf(part)))
  const [state, ...others] = new Set(known.flatMap((part) => stateOfPart(part) ?? []))
  return others.length === 0 ? state : undefined
}

const sharedKeys: ReadonlySet<string> = new Set(sharedNames.map(keyOf))

const statesOfLgas: ReadonlyMap<string, State> = new Map([
  ...keysOfLgas('Lagos', lagosLgas),
  ...keysOfLgas('FCT', fctLgas),
])

const statesOfAreas: ReadonlyMap<string, State> = new Map([
  ...keysOfAreas('Lagos', lagosAreas),
  ...keysOfAreas('FCT', fctAreas),
])

const statesOfCities: ReadonlyMap<string, State> = new Map(
  states.flatMap((state) => [state, ...(cities[state] ?? [])].map((name) => [cityKeyOf(name), state] as const)),
)

function stateOfLga(part: string): State | undefined {
  return statesOfLgas.get(keyOf(part))
}

function stateOfTown(part: string): State | undefined {
  return statesOfCities.get(cityKeyOf(part))
}

/**
 * Returns the state to which a part of an area’s name belongs. The part can also be the name of a local government area
 * or a city.
 */
function stateOfArea(part: string): State | undefined {
  return statesOfAreas.get(keyOf(part)) ?? stateOfLga(part) ?? stateOfTown(part)
}

function keysOfAreas(state: State, areas: AreasOfZones): [key: string, state: State][] {
  const names = Object.values(areas)
    .flat()
    .flatMap(([name, , , ...otherNames]) => [name, ...otherNames])
  return names.map((name) => [keyOf(name), state])
}

function keysOfLgas(state: State, lgas: readonly WideRow[]): [key: string, state: State][] {
  return lgas.flatMap(([name, , , , ...otherNames]) => [name, ...otherNames]).map((name) => [keyOf(name), state])
}
