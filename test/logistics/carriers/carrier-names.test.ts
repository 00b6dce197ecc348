import { expect, test } from 'vitest'
import { testCarrierCodes, testCarriers } from '../../../registry/service/test-carriers.ts'
import { connectableCarriers } from '../../../registry/values/carriers.ts'
import { carrierNameOf } from '../../../src/logistics/carriers/carrier-names.ts'

test('every carrier has a display name, and the simulated carriers have their documented names', () => {
  for (const code of connectableCarriers) expect(carrierNameOf(code)).not.toBe(code)
  for (const code of testCarrierCodes) expect(carrierNameOf(code)).toBe(testCarriers[code].name)
  expect(carrierNameOf('retired-carrier')).toBe('retired-carrier')
})
