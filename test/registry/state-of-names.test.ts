import { describe, expect, test } from 'vitest'
import { fctAreas } from '../../registry/values/gazetteer/areas-fct.ts'
import { lagosAreas } from '../../registry/values/gazetteer/areas-lagos.ts'
import { cities, sharedNames } from '../../registry/values/gazetteer/cities.ts'
import { fctLgas, lagosLgas } from '../../registry/values/gazetteer/lgas.ts'
import { cityKeyOf, keyOf } from '../../registry/values/gazetteer/spelling.ts'
import {
  type AddressNames,
  cityOfState,
  contradictionOf,
  stateOfNames,
} from '../../registry/values/gazetteer/state-of-names.ts'
import { type State, states } from '../../registry/values/states.ts'

describe('the state of an address', () => {
  test.for<[AddressNames, State]>([
    [{ city: 'Abuja' }, 'FCT'],
    [{ city: ' PORT-HARCOURT ' }, 'Rivers'],
    [{ city: 'Òṣogbo' }, 'Osun'],
    [{ city: 'Lekki' }, 'Lagos'],
    [{ city: 'Kano' }, 'Kano'],
    [{ area: 'Wuse 2' }, 'FCT'],
    [{ area: 'WUSE II' }, 'FCT'],
    [{ area: 'Bodija, Ibadan' }, 'Oyo'],
    [{ area: 'Garki', city: 'Abuja' }, 'FCT'],
    [{ area: 'Gotham', city: 'Ikeja' }, 'Lagos'],
    [{ lga: 'Eti-Osa' }, 'Lagos'],
    [{ city: 'Magodo' }, 'Lagos'],
    [{ area: 'Wuse 2', city: 'Lagos' }, 'Lagos'],
    [{ area: 'Wuse 2', lga: 'Ikeja' }, 'Lagos'],
    [{ city: 'Abuja FCT' }, 'FCT'],
    [{ city: 'FCT Abuja' }, 'FCT'],
    [{ city: 'Abuja - FCT' }, 'FCT'],
    [{ city: 'Abuja Nigeria' }, 'FCT'],
    [{ city: 'Garki Abuja' }, 'FCT'],
    [{ city: 'FCT Garki' }, 'FCT'],
    [{ city: 'Abuja Wuse 2' }, 'FCT'],
    [{ city: 'Ibadan Oyo State' }, 'Oyo'],
    [{ city: 'Oyo State Ibadan' }, 'Oyo'],
    [{ city: 'Osun State Iwo' }, 'Osun'],
    [{ city: 'Kano State' }, 'Kano'],
    [{ city: 'Rivers State' }, 'Rivers'],
    [{ city: 'Ekiti State' }, 'Ekiti'],
    [{ city: 'Eket Akwa Ibom State, Nigeria' }, 'Akwa Ibom'],
    [{ city: 'Surulere Ibadan' }, 'Oyo'],
    [{ city: 'Surulere Lagos' }, 'Lagos'],
    [{ city: 'Dutse Jigawa' }, 'Jigawa'],
    [{ city: 'GRA Benin City' }, 'Edo'],
    [{ city: 'Isheri Osun' }, 'Lagos'],
    [{ city: 'Abuja City' }, 'FCT'],
    [{ city: 'Abuja city centre' }, 'FCT'],
    [{ city: 'Kano Metropolis' }, 'Kano'],
    [{ city: 'Garki, Abuja City' }, 'FCT'],
    [{ city: 'Lekki/Ajah' }, 'Lagos'],
    [{ city: 'Ajah / Sangotedo' }, 'Lagos'],
    [{ city: 'Wuse/Maitama' }, 'FCT'],
    [{ city: 'Wuse 2 & Maitama' }, 'FCT'],
    [{ city: 'Abuja and environs' }, 'FCT'],
    [{ city: 'Maitama - Asokoro' }, 'FCT'],
    [{ city: 'Ado - Ekiti' }, 'Ekiti'],
    [{ area: 'Wuse/Maitama' }, 'FCT'],
    [{ area: 'Wuse/Abuja' }, 'FCT'],
    [{ area: 'Garki Abuja' }, 'FCT'],
    [{ area: 'Yaba Abuja' }, 'FCT'],
    [{ area: 'Bodija Ibadan' }, 'Oyo'],
  ])('the service derives the state of an address from %o: %s', ([names, state]) => {
    expect(stateOfNames(names)).toBe(state)
  })

  test.for<[string, AddressNames]>([
    ['nothing', {}],
    ['null', { area: null, city: null }],
    ['separators only', { area: ',('.repeat(50) }],
    ['an unknown name', { city: 'Gotham' }],
    ['a name of districts in several states', { area: 'Garki' }],
    ['a name of a capital and of a district', { city: 'Dutse' }],
    ['two known names of different states in one text', { area: 'Maitama, Ikeja' }],
    ['two known names of different states with a slash', { city: 'Abuja/Lagos' }],
    ['a name of two states before the word Town', { city: 'Dutse Town' }],
    ['a shopping centre with the name of a city', { area: 'Kano City Mall' }],
    ['a local government area of two states', { lga: 'Surulere' }],
    ['a local government area with the name of an area of Lagos', { lga: 'Egbeda' }],
    ['a local government area with the name of a state', { lga: 'Ondo' }],
    ['an estate with the name of a state', { area: 'Niger Estate' }],
    ['a city field with the name of an estate', { city: 'Kano Estate' }],
    ['a road with the name of a city', { city: 'Benin Road' }],
    ['a region with the name of a state', { city: 'Oke-Ogun' }],
    ['a name of two states at the end', { city: 'Ayede Ekiti' }],
  ])('the service cannot derive the state of an address from these place names: %s', ([, names]) => {
    expect(stateOfNames(names)).toBeUndefined()
  })

  test('the name of a state’s default city determines the state of an address, unless the name is a place in two states', () => {
    for (const state of states) {
      expect(stateOfNames({ city: cityOfState(state) }), state).toBe(
        ['Ekiti', 'Nasarawa'].includes(state) ? undefined : state,
      )
    }
  })
})

describe('a contradiction in an address', () => {
  test.for<[Parameters<typeof contradictionOf>[0], State, string]>([
    [{ city: 'Abuja', state: 'Lagos' }, 'FCT', 'city'],
    [{ city: 'Ibadan', state: 'Lagos' }, 'Oyo', 'city'],
    [{ city: 'Lekki', state: 'Oyo' }, 'Lagos', 'city'],
    [{ city: 'Kano', state: 'Lagos' }, 'Kano', 'city'],
    [{ city: 'Garki Abuja', state: 'Lagos' }, 'FCT', 'city'],
    [{ city: 'Abuja City', state: 'Lagos' }, 'FCT', 'city'],
    [{ city: 'Lekki/Ajah', state: 'FCT' }, 'Lagos', 'city'],
    [{ lga: 'Ikeja', state: 'Oyo' }, 'Lagos', 'lga'],
    [{ lga: 'Abuja Municipal', state: 'Lagos' }, 'FCT', 'lga'],
    [{ area: 'Wuse 2', city: 'Lagos', state: 'FCT' }, 'Lagos', 'city'],
  ])('the address %o is rejected, because its state must be %s, the state to which its field %s belongs', ([
    names,
    example,
    field,
  ]) => {
    const message = `Must be \`${example}\`, the state of \`${field}\`, or be left out.`
    expect(contradictionOf(names)).toEqual({ message, example })
    expect(contradictionOf({ ...names, state: example })).toBeUndefined()
  })

  test.for<[Parameters<typeof contradictionOf>[0]]>([
    [{ lga: 'Egbeda', state: 'Oyo' }],
    [{ lga: 'Surulere', state: 'Oyo' }],
    [{ lga: 'Ekiti', state: 'Kwara' }],
    [{ city: 'Ekiti', state: 'Kwara' }],
    [{ city: 'Ilupeju', state: 'Ekiti' }],
    [{ city: 'Ikotun', state: 'Kwara' }],
    [{ city: 'Yaba', state: 'FCT' }],
    [{ city: 'Owo', state: 'Enugu' }],
    [{ area: 'Ogba', state: 'Edo' }],
    [{ area: 'Ajegunle', state: 'Oyo' }],
    [{ area: 'Wuse 2', state: 'Kano' }],
    [{ area: 'Kano', state: 'Lagos' }],
    [{ area: 'Karu', state: 'Nasarawa' }],
    [{ area: 'Wuse 2', city: 'Ibadan' }],
    [{ area: 'Gotham', city: 'Metropolis', state: 'Kano' }],
    [{ area: 'Lekki Phase 1', city: 'Ikeja', state: 'Lagos' }],
  ])('the service finds no contradiction in the address %o', ([names]) => {
    expect(contradictionOf(names)).toBeUndefined()
  })

  test('the name of an area of Lagos or the FCT contradicts none of the 37 states', () => {
    for (const [name, , , ...others] of Object.values({ ...lagosAreas, ...fctAreas }).flat()) {
      for (const area of [name, ...others]) {
        for (const state of states) expect(contradictionOf({ area, state }), `${area}, ${state}`).toBeUndefined()
      }
    }
  })
})

test('the list of shared names contains every city or area name that the place tables contain for two states', () => {
  const shared = new Set(sharedNames.map(keyOf))
  const found = new Map<string, Set<State>>()
  const add = (key: string, state: State) => found.set(key, (found.get(key) ?? new Set()).add(state))
  const rows = { Lagos: [Object.values(lagosAreas).flat(), lagosLgas], FCT: [Object.values(fctAreas).flat(), fctLgas] }
  for (const state of ['Lagos', 'FCT'] as const) {
    for (const [name, , , ...others] of rows[state].flat()) {
      for (const each of [name, ...others]) if (typeof each === 'string') add(keyOf(each), state)
    }
  }
  for (const state of states) for (const name of [state, ...(cities[state] ?? [])]) add(cityKeyOf(name), state)
  const several = [...found].filter(([key, { size }]) => size > 1 && !shared.has(key)).map(([key]) => key)
  expect(several).toEqual([])
})
