import type { z } from 'zod'
import { type State, states } from '../states.ts'
import { fctAreas } from './areas-fct.ts'
import { lagosAreas } from './areas-lagos.ts'
import { cities, sharedNames } from './cities.ts'
import { fctLgas, lagosLgas } from './lgas.ts'
import type { AreasOfZones, WideRow } from './rows.ts'
import { cityKeyOf, keyOf, partsOf, wordsOf } from './spelling.ts'

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
  /**
   * State that the validation error suggests: the state of the local government area or of the city. The address names
   * a different state.
   */
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
  const [state, ...others] = new Set(partsOf(text).flatMap((part) => stateOfPart(part) ?? []))
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

const statesOfStateNames: ReadonlyMap<string, State> = new Map(states.map((state) => [cityKeyOf(state), state]))

/** The states, by the names of states and cities. Names that also belong to a place in another state are left out. */
const statesOfTowns: ReadonlyMap<string, State> = new Map(
  states
    .flatMap((state) => [state, ...(cities[state] ?? [])].map((name) => [name, state] as const))
    .filter(([name]) => !sharedKeys.has(keyOf(name)))
    .map(([name, state]) => [cityKeyOf(name), state]),
)

/**
 * Names that are only looked up as a whole, because one of their words may be the name of another place. For example,
 * Isheri Osun is an area of Lagos, and Oke Ogun is a region of Oyo.
 */
const wholeNames: ReadonlySet<string> = new Set(
  [...sharedNames, ...namesOfAreas(lagosAreas), ...namesOfAreas(fctAreas)].map(cityKeyOf),
)

function stateOfLga(part: string): State | undefined {
  const key = keyOf(part)
  return sharedKeys.has(key) ? undefined : statesOfLgas.get(key)
}

/** Maximum number of words in the name of a city or state, as in “Federal Capital Territory”. */
const townWordsMax = 3

/**
 * Returns the state that a text names, or the state of the city that it names. The name of the city or state is the
 * whole text, its end (“Garki Abuja”, “Ibadan Oyo State”), or its beginning before the name of an area (“FCT Garki”).
 * The end has precedence, because an address goes from the small to the large. A word like “City” after the name is
 * ignored, unless it is part of the name, as in “Benin City”.
 */
function stateOfTown(part: string): State | undefined {
  const words = wordsOf(part).filter((word, index) => index === 0 || word !== 'nigeria')
  return stateOfWords(words) ?? stateOfWords(words.slice(0, words.findLastIndex((word) => !townWords.has(word)) + 1))
}

/** Words that addresses add after the name of a city: “Abuja City Centre”, “Kano Metropolis”. */
const townWords: ReadonlySet<string> = new Set(['city', 'town', 'metropolis', 'centre', 'center'])

function stateOfWords(words: readonly string[]): State | undefined {
  const key = words.join('')
  if (wholeNames.has(key)) return undefined
  return statesOfTowns.get(key) ?? stateAtEnd(words) ?? stateAtBeginning(words)
}

function stateAtEnd(words: readonly string[]): State | undefined {
  const isState = words.at(-1) === 'state'
  const named = isState ? words.slice(0, -1) : words
  const names = isState ? statesOfStateNames : statesOfTowns
  return firstOf(townLengths, (length) => names.get(named.slice(-length).join('')))
}

/** The words after the name of a city decide whether a text names the city: “Kano Estate” is not in Kano. */
function stateAtBeginning(words: readonly string[]): State | undefined {
  return firstOf(townLengths, (length) => {
    const name = words.slice(0, length).join('')
    const rest = words.slice(length)
    if (rest[0] === 'state') return statesOfStateNames.get(name)
    return isNameOfArea(keyOf(rest.join(' '))) ? statesOfTowns.get(name) : undefined
  })
}

/** Lengths of names in words, the longest first: Benin City is looked up before City. */
const townLengths: readonly number[] = Array.from({ length: townWordsMax }, (_, index) => townWordsMax - index)

function firstOf<Item>(items: readonly Item[], find: (item: Item) => State | undefined): State | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function isNameOfArea(key: string): boolean {
  return statesOfAreas.has(key) || statesOfLgas.has(key) || sharedKeys.has(key)
}

/**
 * Returns the state to which a part of an area’s name belongs. A city or state in the part takes precedence over the
 * area, because other states may have an area of the same name.
 */
function stateOfArea(part: string): State | undefined {
  const key = keyOf(part)
  return stateOfTown(part) ?? (sharedKeys.has(key) ? undefined : (statesOfAreas.get(key) ?? statesOfLgas.get(key)))
}

function keysOfAreas(state: State, areas: AreasOfZones): [key: string, state: State][] {
  return namesOfAreas(areas).map((name) => [keyOf(name), state])
}

function namesOfAreas(areas: AreasOfZones): string[] {
  return Object.values(areas)
    .flat()
    .flatMap(([name, , , ...otherNames]) => [name, ...otherNames])
}

function keysOfLgas(state: State, lgas: readonly WideRow[]): [key: string, state: State][] {
  return lgas.flatMap(([name, , , , ...otherNames]) => [name, ...otherNames]).map((name) => [keyOf(name), state])
}
