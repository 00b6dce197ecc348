import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const policy = await readFile('.github/SECURITY.md', 'utf8')

/** The rows of the security policy's table of risks, by the number of the API risk. */
const rows = [...policy.matchAll(/^\| API(\d+) .*$/gm)].map(([row, number]) => [Number(number), row] as const)

describe('the security policy', () => {
  test('the security policy covers each of the ten risks of the OWASP list once', () => {
    expect(rows.map(([number]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test.for(rows)('the security policy names existing tests for the OWASP risk API%i', async ([, row]) => {
    const named = [...row.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)]
    expect(named.length).toBeGreaterThan(1)
    expect(row.match(/`test\//g)).toHaveLength(named.length)
    for (const [, path = '', title = ''] of named) {
      // A test title that the security policy names must occur in a string literal of the test file. The title may be
      // only the beginning of the literal, as in a test that runs for several values.
      const text = await readFile(path, 'utf8')
      expect(
        text.split('\n').some((line) => /['`]/.test(line) && line.includes(title)),
        `${path}: ${title}`,
      ).toBe(true)
    }
  })
})
