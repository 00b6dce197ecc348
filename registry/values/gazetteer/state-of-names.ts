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

const fields = ['area', 'lga', 'city'] as const satisfies readonly (keyof AddressNames)[]

/**
 * Returns the state to which the area, local government area or city of an address belongs. Undefined when no name
 * belongs to exactly one state.
 */
export function stateOfNames(names: AddressNames): State | undefined {
  for (const field of fields) {
    const state = stateOfName(names[field])
    if (state !== undefined) return state
  }
  return undefined
}

/** Returns the default city of an address that names no city. */
export function cityOfState(state: State): string {
  return state === 'FCT' ? 'Abuja' : state
}

export interface Contradiction {
  readonly field: 'state' | 'city' | 'lga'
  readonly message: string
  /** A suggested value that would not contradict the other fields of the address. */
  readonly example: string | null
}

/** Returns the first field that contradicts a known name of the same address. Undefined when the fields agree. */
export function contradictionOf({
  state,
  ...names
}: AddressNames & { readonly state?: State | undefined }): Contradiction | undefined {
  const known = fields.flatMap((field) => {
    const stateOfField = stateOfName(names[field])
    return stateOfField === undefined ? [] : [{ field, state: stateOfField }]
  })
  const other = known.find((each) => state !== undefined && each.state !== state)
  if (other !== undefined) {
    const message = `Must be \`${other.state}\`, the state of \`${other.field}\`, or be left out.`
    return { field: 'state', message, example: other.state }
  }
  const [first] = known
  const next = known.find((each) => each.state !== first?.state)
  if (first === undefined || next === undefined || next.field === 'area') return undefined
  const isCity = next.field === 'city'
  const example = isCity ? cityOfState(first.state) : null
  const message = `Must be in ${first.state}, the state of \`${first.field}\`, or be left out.`
  return { field: next.field, message, example }
}

/** Requires that the state, city and areas of an address agree, as far as their names are known. */
export function requireAgreement(
  names: AddressNames & { readonly state?: State | undefined },
  context: z.core.$RefinementCtx,
): void {
  const found = contradictionOf(names)
  if (found === undefined) return
  const { field, message, example } = found
  context.addIssue({ code: 'custom', path: [field], message, params: { problem: 'invalid_value', example } })
}

/**
 * Returns the state to which the known names in a text belong. Undefined when they belong to no state or to several
 * states.
 */
function stateOfName(text: string | null | undefined): State | undefined {
  const found = new Set(partsOf(text).flatMap((part) => stateOfPart(part) ?? []))
  const [state, ...others] = found
  return others.length === 0 ? state : undefined
}

function stateOfPart(part: string): State | undefined {
  const key = keyOf(part)
  if (sharedKeys.has(key)) return undefined
  return statesOfAreas.get(key) ?? statesOfCities.get(cityKeyOf(part))
}

const sharedKeys: ReadonlySet<string> = new Set(sharedNames.map(keyOf))

const statesOfAreas: ReadonlyMap<string, State> = new Map([
  ...keysOf('Lagos', lagosAreas, lagosLgas),
  ...keysOf('FCT', fctAreas, fctLgas),
])

function keysOf(state: State, areas: AreasOfZones, lgas: readonly WideRow[]): [key: string, state: State][] {
  const rows = Object.values(areas).flat()
  return [
    ...rows.flatMap(([name, , , ...otherNames]) => [name, ...otherNames]),
    ...lgas.flatMap(([name, , , , ...otherNames]) => [name, ...otherNames]),
  ].map((name) => [keyOf(name), state])
}

const statesOfCities: ReadonlyMap<string, State> = new Map(
  states.flatMap((state) => [state, ...(cities[state] ?? [])].map((name) => [cityKeyOf(name), state] as const)),
)
