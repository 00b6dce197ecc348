import { describe, expect, test } from 'vitest'
import type { ContractChange } from '../../registry/service/changelog.ts'
import { versionAfter, withRelease } from '../../scripts/release/announcement.ts'

const change = (kind: ContractChange['kind']): ContractChange => {
  return { kind, isBreaking: false, subject: 'listOrders', what: 'GET /orders is other than before.' }
}

describe('the next version', () => {
  test('has a higher second number where something is new', () => {
    expect(versionAfter('1.4.2', [change('changed'), change('added')])).toBe('1.5.0')
  })

  test('has a higher third number where nothing is', () => {
    expect(versionAfter('1.4.2', [change('changed')])).toBe('1.4.3')
  })
})

describe('CHANGELOG.md', () => {
  const release = { version: '1.1.0', on: '2026-12-01', changes: [change('deprecated')] }

  test('keeps what was written by hand, ends it with the derived list, and starts anew', () => {
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

  test('without a section of what is unreleased is refused', () => {
    expect(() => withRelease('# Changelog\n', release)).toThrow('no section')
  })
})
