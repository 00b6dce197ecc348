import { expect, test } from 'vitest'
import { problemsBy, refusedBy } from '../../src/dashboard/kit/refused.ts'
import { Refusal } from '../../src/operations/execute/refusal.ts'

const refusal = (path: string) =>
  new Refusal('validation_failed', 'The request is invalid.', {
    problems: [{ path, code: 'too_small', message: 'Use at least 1.', fix: 'Send 1.' }],
  })

test.for([
  ['body.items[1].unitPriceKobo', 'Items 2 unit price: Use at least 1.'],
  ['body.shippingAddress.line1', 'Shipping address line1: Use at least 1.'],
  ['body', 'Use at least 1.'],
] as const)('if the form has no field for an invalid value, the message describes the path %s in plain words', ([
  path,
  message,
]) => {
  expect(problemsBy(refusal(path), () => undefined)).toEqual({
    is: 'invalid',
    problems: [{ field: undefined, message }],
  })
  expect(refusedBy(refusal(path))).toMatchObject({ is: 'refused', message })
})
