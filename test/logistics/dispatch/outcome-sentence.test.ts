import { expect, test } from 'vitest'
import { subCarrierDownCode } from '../../../src/logistics/dispatch/next-offer.ts'
import { outcomeSentence } from '../../../src/logistics/dispatch/outcome-sentence.ts'
import { refusalCodes, type UnknownCause } from '../../../src/partners/carriers/carrier.ts'

const unknownCauses = { timeout: true, reset: true, bad_response: true, server_error: true } satisfies Record<
  UnknownCause,
  true
>

test('every outcome code whose message is quoted from the carrier has a sentence of its own', () => {
  const codes = [...refusalCodes, ...Object.keys(unknownCauses), subCarrierDownCode, 'invalid', 'unavailable']
  const sentences = codes.map(outcomeSentence)
  for (const [index, sentence] of sentences.entries()) expect(sentence, codes[index]).toMatch(/^[A-Z].*\.$/)
  expect(new Set(sentences).size).toBe(codes.length)
})

test('the outcome codes of the service’s own messages have no sentence', () => {
  for (const code of ['accepted', 'cancelled', 'not_sent', 'order_not_found', 'toString']) {
    expect(outcomeSentence(code), code).toBeUndefined()
  }
})
