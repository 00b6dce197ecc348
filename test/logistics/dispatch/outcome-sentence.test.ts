import { expect, test } from 'vitest'
import { subCarrierDownCode } from '../../../src/logistics/dispatch/next-offer.ts'
import { outcomeSentence } from '../../../src/logistics/dispatch/outcome-sentence.ts'
import { refusalCodes, type UnknownCause } from '../../../src/partners/carriers/carrier.ts'

const unknownCauses = { timeout: true, reset: true, bad_response: true, server_error: true } satisfies Record<
  UnknownCause,
  true
>

test('the dashboard has a sentence of its own for every outcome code that a carrier causes in a dispatch attempt', () => {
  const codes = [...refusalCodes, ...Object.keys(unknownCauses), subCarrierDownCode, 'invalid', 'unavailable']
  const sentences = codes.map(outcomeSentence)
  for (const [index, sentence] of sentences.entries()) expect(sentence, codes[index]).toMatch(/^[A-Z].*\.$/)
  expect(new Set(sentences).size).toBe(codes.length)
})

test('outcomeSentence returns no sentence for outcome codes whose message the service itself writes', () => {
  for (const code of ['accepted', 'cancelled', 'not_sent', 'order_not_found', 'toString']) {
    expect(outcomeSentence(code), code).toBeUndefined()
  }
})
