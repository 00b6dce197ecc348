import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { slowPatternsIn } from '../../../scripts/lint/slow-patterns.ts'

test.for([
  ["path.replace(/\\/+$/, '')", '/\\/+$/ restarts at every character.'],
  ['/(?:ab){2,}:/.test(text)', '/(?:ab){2,}:/ restarts at every character.'],
  ['/x?(?:(?:ab)+|c)d/.test(text)', '/x?(?:(?:ab)+|c)d/ restarts at every character.'],
  ['/^-?0*\\d+$/.test(text)', '/^-?0*\\d+$/ backtracks.'],
  ["new RegExp('a+a+')", '/a+a+/ backtracks.'],
  [`const part = 'a+'\nnew RegExp(\`^\${part}\${part}b\`, 'i')`, '/^a+a+b/i backtracks.'],
] as const)('the check of regular expressions reports a slow regular expression in: %s', ([text, reason]) => {
  expect(slowPatternsIn('a.ts', text)).toEqual([expect.stringContaining(reason)])
})

test.for([
  '/^a+b$/.test(text)',
  '/[^a-z]+/g',
  '/a+b/y',
  '/(?:ab){2,9}:/',
  `new RegExp(\`^\${part}a+a+\`)`,
])('the check of regular expressions accepts: %s', (text) => {
  expect(slowPatternsIn('a.ts', text)).toEqual([])
})

test('the script verify runs the check of regular expressions', async () => {
  expect(await readFile('scripts/verify.ts', 'utf8')).toContain("'scripts/lint/check-patterns.ts'")
})
