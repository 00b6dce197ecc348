import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { auditOf } from '../../../scripts/supply-chain/audit.ts'
import { faultsOfLockFile, readDecisions } from '../../../scripts/supply-chain/lock-file.ts'

test('every locked package has a SHA-512 hash, comes from the registry, and runs no script unless package.json allows it', async () => {
  expect(faultsOfLockFile(await readFile('package-lock.json', 'utf8'), await readDecisions())).toEqual([])
})

const integrity = `sha512-${'A'.repeat(86)}==`

test.for([
  ['no hash', { version: '1.0.0' }, 'left has no SHA-512 hash.'],
  ['a weak hash', { version: '1.0.0', integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'left has no SHA-512 hash.'],
  [
    'a second, weak hash',
    { version: '1.0.0', integrity: `${integrity} sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=` },
    'left has no SHA-512 hash.',
  ],
  [
    'an address',
    { version: '1.0.0', integrity, resolved: 'git+ssh://git@example.com/left.git' },
    'left has the address git+ssh://git@example.com/left.git.',
  ],
  ['a folder', { link: true, resolved: '../left' }, 'left is a link to a folder.'],
  [
    'an install script',
    { version: '1.0.0', integrity, hasInstallScript: true },
    'left has an install script that allowScripts in package.json neither allows nor refuses.',
  ],
] as const)('the check of package-lock.json reports a package with %s', ([, entry, fault]) => {
  const text = JSON.stringify({ packages: { '': {}, 'node_modules/right/node_modules/left': entry } })
  expect(faultsOfLockFile(text, { scripts: { right: true }, unhashed: {} })).toEqual([fault])
})

test('a package may lack a hash only if it is an optional development package and the npm registry has no hash for it', () => {
  const decided = { scripts: {}, unhashed: { left: 'not published', gone: 'not published' } }
  const faultsOf = (entry: object) =>
    faultsOfLockFile(JSON.stringify({ packages: { 'node_modules/left': entry } }), decided)
  const unneeded = 'No package needs the exception of gone: remove it.'
  expect(faultsOf({ version: '1.0.0', dev: true, optional: true })).toEqual([unneeded])
  expect(faultsOf({ version: '1.0.0', optional: true })).toEqual(['left has no SHA-512 hash.', unneeded])
  expect(faultsOf({ version: '1.0.0', integrity })).toEqual([
    'No package needs the exception of left: remove it.',
    unneeded,
  ])
})

test.for([
  ['{"metadata":{"vulnerabilities":{"total":0}}}', { is: 'audited', advisories: 0 }],
  ['{"metadata":{"vulnerabilities":{"total":3}}}', { is: 'audited', advisories: 3 }],
  ['{"message":"request to the registry failed"}', { is: 'unreachable', reason: 'request to the registry failed' }],
  ['', { is: 'unreachable', reason: 'npm audit returned no report' }],
  ['{"metadata":{}}', { is: 'unreachable', reason: 'npm audit returned no report' }],
] as const)('auditOf reads the number of advisories from the npm audit output %s, or returns a failed audit if the output has no number', ([
  output,
  audit,
]) => {
  expect(auditOf(output)).toEqual(audit)
})
