import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { casesOf } from '../../../scripts/bench/peers/cases.ts'
import { tableOf } from '../../../scripts/bench/peers/report.ts'

/** The benchmark results in the README and in the guide must come from the current version of the benchmark. */

const guide = tableIn('registry/guides/performance.md')

/** Returns, with its header row, the first table of a document that has the header of the benchmark's table. */
function tableIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const start = lines.indexOf(tableOf([]).split('\n')[0] ?? '')
  return start === -1 ? [] : lines.slice(start, lines.indexOf('', start))
}

test('the performance guide has a row for each case of the benchmark', () => {
  const rows = guide.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim()),
  )
  expect(rows).toEqual(
    casesOf({ token: '', testToken: '', orderIds: [] }).map(({ title, connections }) => [title, String(connections)]),
  )
})

test('the README has the benchmark table of the performance guide', () => {
  expect(tableIn('README.md')).toEqual(guide)
})
