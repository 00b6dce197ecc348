import { expect, test } from 'vitest'
import { type Exception, vocabularyFaults } from '../../../scripts/lint/vocabulary/check.ts'
import type { AvoidedTerm } from '../../../scripts/lint/vocabulary/glossary.ts'
import { textsOfSource } from '../../../scripts/lint/vocabulary/texts.ts'

const terms: readonly AvoidedTerm[] = [
  { term: 'asking', use: 'attempt', pattern: /\baskings?\b/ },
  { term: 'hand', use: 'command', pattern: /\bhands?\b/, only: 'names' },
]
const exception: Exception = {
  term: 'asking',
  phrase: 'for the asking',
  reason: 'It is listed so that this test has one.',
}

function faultsOf(source: string, listed: readonly Exception[] = [], released = listed): string[] {
  return vocabularyFaults(textsOfSource('src/dispatch.ts', source), terms, { listed, released })
}

test.each([
  ['a comment', '/** Returns every\n * asking of a carrier. */\nexport {}'],
  ['a line comment', 'const a = 1 // The last asking.'],
  ['a string', "throw new Error('An asking failed.')"],
  ['a part of a template', `const text = \`\${count} askings failed.\``],
  ['a declared name', 'function listAskings(): void {}'],
  ['a property', 'interface Row { asking_count: number }'],
  ['an enum value', "type State = 'asking'"],
])('the vocabulary check rejects an avoided term in %s, and reports the place of the term and the standard term', (_, source) => {
  expect(faultsOf(source)).toEqual([expect.stringMatching(/^src\/dispatch\.ts:\d: say attempt instead of "askings?"/)])
})

test('the vocabulary check accepts avoided terms in names that the checked file uses but does not declare', () => {
  expect(faultsOf("import { asking } from 'library'\nlibrary.asking(asking)")).toEqual([])
})

test('the vocabulary check accepts a term in comments if the term must be avoided only in names', () => {
  expect(faultsOf('/** Written by hand. */\nexport {}')).toEqual([])
  expect(faultsOf('interface ShipmentHand {}')).toEqual([expect.stringContaining('say command')])
})

test('the vocabulary check accepts an avoided term within a phrase from the list of exceptions, and rejects the same term elsewhere', () => {
  expect(faultsOf('// It is there for the asking.\nexport {}', [exception])).toEqual([])
  const faults = faultsOf('// It is there for the asking. An asking failed.\nexport {}', [exception])
  expect(faults).toEqual([expect.stringContaining('say attempt')])
})

test('the vocabulary check accepts a phrase in the list of exceptions only in the path that the exception names', () => {
  const source = '// It is there for the asking.\nexport {}'
  expect(faultsOf(source, [{ ...exception, path: 'src/dispatch.ts' }])).toEqual([])
  expect(faultsOf(source, [{ ...exception, path: 'src/quotes.ts' }])).toEqual([
    expect.stringContaining('say attempt'),
    expect.stringContaining('remove it'),
  ])
})

test('the vocabulary check rejects an exception whose phrase occurs in no text', () => {
  expect(faultsOf('export {}', [exception])).toEqual([expect.stringContaining('remove it')])
})

test('the vocabulary check rejects an exception that the last release did not have', () => {
  const faults = faultsOf('// It is there for the asking.\nexport {}', [exception], [])
  expect(faults).toEqual([expect.stringContaining('may only shrink')])
})
