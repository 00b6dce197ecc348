import { describe, expect, test } from 'vitest'
import type { ContractChange } from '../../../registry/service/changelog.ts'
import { versionAfter, withRelease } from '../../../scripts/release/announcement.ts'

const change = (kind: ContractChange['kind']): ContractChange => {
  return { kind, isBreaking: false, subject: 'listOrders', what: 'GET /orders is other than before.' }
}

describe('the version of the next release', () => {
  test('the next release has a higher minor version when something was added to the contract', () => {
    expect(versionAfter('1.4.2', [change('changed'), change('added')])).toBe('1.5.0')
  })

  test('the next release has a higher patch version when nothing was added to the contract', () => {
    expect(versionAfter('1.4.2', [change('changed')])).toBe('1.4.3')
  })
})

describe('CHANGELOG.md at a release', () => {
  const release = { version: '1.1.0', on: '2026-12-01', changes: [change('deprecated')] }

  test('a release keeps the hand-written text of CHANGELOG.md, appends the list of contract changes, and opens a new section', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 1.0.0, 2026-11-21\n\n- All.\n'
    expect(withRelease(text, release)).toBe(
      [
        '# Changelog\n',
        '## Unreleased\n',
        '## 1.1.0, 2026-12-01\n',
        '### Added\n',
        '- A thing.\n',
        '### Contract\n',
        '- deprecated: GET /orders is other than before.\n',
        '## 1.0.0, 2026-11-21\n',
        '- All.\n',
      ].join('\n'),
    )
  })

  test('a release rejects a CHANGELOG.md without an unreleased section', () => {
    expect(() => withRelease('# Changelog\n', release)).toThrow('no "Unreleased" section')
  })
})
