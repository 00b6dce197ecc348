import { describe, expect, test } from 'vitest'
import { type CarrierCoverage, carriersServing, coverageOf } from '../../../src/logistics/places/zone-carriers.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'

const carriers: readonly CarrierCoverage[] = [
  { code: 'chowdeck', states: ['Lagos'], serviceLevels: ['on_demand'] },
  { code: 'fez', states: undefined, serviceLevels: ['next_day', 'standard'] },
  { code: 'shipbubble', states: ['Lagos', 'FCT'], serviceLevels: ['on_demand', 'standard'] },
]

test.for([
  ['Lagos', ['on_demand'], ['chowdeck', 'shipbubble']],
  ['Lagos', ['next_day'], ['fez']],
  ['FCT', ['on_demand', 'standard'], ['fez', 'shipbubble']],
  ['FCT', ['same_day'], []],
] as const)('a delivery zone in %s with the service levels %s is served by the carriers %s', ([
  state,
  serviceLevels,
  expected,
]) => {
  expect(carriersServing({ state, serviceLevels }, carriers)).toEqual(expected)
})

describe('carriers of a zone in live mode', () => {
  const known = carriersOf(testCarrier('chowdeck', { states: ['Lagos'] }), testCarrier('fez'))

  test('in live mode, a zone lists the carriers at which the merchant has accounts, with the capabilities of each carrier', () => {
    expect(coverageOf([{ carrier: 'chowdeck' }], known)).toMatchObject([
      { code: 'chowdeck', states: ['Lagos'], serviceLevels: ['on_demand'] },
    ])
  })

  test('in live mode, the carriers of a zone do not include a carrier without an account, an adapter or outbound access', () => {
    expect(coverageOf([], known)).toEqual([])
    expect(coverageOf([{ carrier: 'shipbubble' }], known)).toEqual([])
    expect(coverageOf([{ carrier: 'fez' }], undefined)).toEqual([])
  })
})
