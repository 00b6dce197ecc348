import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyDifference } from '../../src/access/body-difference.ts'

const sent = '{"id":"evt_1","name":"Adéọlá “Ade”","total":1}'
const bytes = Buffer.from(sent)

test('two equal bodies have no difference', () => {
  expect(bodyDifference(sent, sent)).toBeUndefined()
})

test('the offset of a difference is the number of bytes before the first byte that differs', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      fc.pre(one !== other)
      const { offset = -1 } = bodyDifference(one, other) ?? {}
      const [ofOne, ofOther] = [Buffer.from(one), Buffer.from(other)]
      expect(ofOne.subarray(0, offset)).toEqual(ofOther.subarray(0, offset))
      expect(ofOne[offset]).not.toBe(ofOther[offset])
    }),
  ))

test.each([
  ['a line break at the end', `${sent}\n`, 'white_space'],
  ['a byte order mark at the start', `\uFEFF${sent}`, 'white_space'],
  ['spaces in the JSON', JSON.stringify(JSON.parse(sent), null, 1), 'reserialised'],
  ['escaped characters', sent.replace('é', '\\u00e9'), 'reserialised'],
  ['sorted fields', '{"id":"evt_1","total":1,"name":"Adéọlá “Ade”"}', 'reserialised'],
  ['an encoding of Windows', new TextDecoder('windows-1252').decode(bytes), 'decoded'],
  ['Latin-1', bytes.toString('latin1'), 'decoded'],
  ['ASCII', sent.replaceAll(/[^ -~]/g, '\uFFFD'), 'decoded'],
  ['a replacement of each byte that is not ASCII', bytes.toString('latin1').replaceAll(/[^ -~]/g, '\uFFFD'), 'decoded'],
  ['a replaced character and another value', sent.replaceAll(/[^ -~]/g, '\uFFFD').replace('1}', '2}'), undefined],
  ['a replacement character at its end', `${sent}\uFFFD`, undefined],
  ['another value', sent.replace('1}', '2}'), undefined],
  ['no JSON', 'evt_1', undefined],
] as const)('for a body with %s, bodyDifference returns the cause %s', (_, read, cause) => {
  expect(bodyDifference(sent, read)?.cause).toBe(cause)
})

test('the excerpts of two bodies show the text around their first difference, and escape every non-ASCII character', () => {
  expect(bodyDifference(sent, sent.replace('é', 'e\t'))).toMatchObject({
    offset: 24,
    sent: { before: '{"id":"evt_1","name":"Ad', from: '\\u{e9}\\u{1ecd}l\\u{e1} \\u{201c}Ade\\u{201d}","total":1}' },
    read: { before: '{"id":"evt_1","name":"Ad', from: 'e\\t\\u{1ecd}l\\u{e1} \\u{201c}Ade\\u{201d}","total":1}' },
  })
  expect(bodyDifference(sent, '')).toMatchObject({ offset: 0, read: { before: '', from: '' } })
})
