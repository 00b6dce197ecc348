import { expect, test } from 'vitest'
import { type CarrierCoverage, carriersServing, coverageIn } from '../../src/logistics/places/zone-carriers.ts'

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
] as const)('a zone of %s that allows %s is served by %s', ([state, serviceLevels, expected]) => {
  expect(carriersServing({ state, serviceLevels }, carriers)).toEqual(expected)
})

test('live mode has no simulated carrier', () => {
  expect(coverageIn('live')).toEqual([])
})
