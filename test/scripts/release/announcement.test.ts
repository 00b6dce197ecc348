import { describe, expect, test } from 'vitest'
import type { ContractChange } from '../../../registry/service/changelog.ts'
import { versionAfter, withRelease } from '../../../scripts/release/announcement.ts'

const change = (kind: ContractChange['kind']): ContractChange => {
  return { kind, isBreaking: false, subject: 'listOrders', what: 'GET /orders is other than before.' }
}

describe('the next version', () => {
  test('has a higher minor number when something was added', () => {
    expect(versionAfter('1.4.2', [change('changed'), change('added')])).toBe('1.5.0')
  })

  test('has a higher patch number when nothing was added', () => {
    expect(versionAfter('1.4.2', [change('changed')])).toBe('1.4.3')
  })
})

describe('CHANGELOG.md', () => {
  const release = { version: '1.1.0', on: '2026-12-01', changes: [change('deprecated')] }

  test('keeps the hand-written text, appends the derived list, and opens a new section', () => {
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

  test('without an unreleased section is rejected', () => {
    expect(() => withRelease('# Changelog\n', release)).toThrow('no "Unreleased" section')
  })
})
