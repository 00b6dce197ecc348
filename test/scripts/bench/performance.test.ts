import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { distributions } from '../../../scripts/bench/distributions.ts'
import { casesOf } from '../../../scripts/bench/peers/cases.ts'
import { tableOf } from '../../../scripts/bench/peers/report.ts'

/** The benchmark results in the README and in the guide must come from the current version of the benchmark. */

const guide = tablesIn('registry/guides/performance.md')

/** Returns the tables of a document that have the header of the benchmark's table, with their header rows. */
function tablesIn(path: string): string[][] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const header = tableOf([]).split('\n')[0] ?? ''
  const starts = lines.flatMap((line, index) => (line === header ? [index] : []))
  return starts.map((start) => lines.slice(start, lines.indexOf('', start)))
}

test('the performance guide has a benchmark table for each distribution of requests over merchants, with a row for each case', () => {
  const rowsOf = (table: readonly string[]) =>
    table.slice(2).map((row) =>
      row
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim()),
    )
  const cases = casesOf({ merchants: [], nextIndex: () => 0 }).map(({ title, connections }) => [
    title,
    String(connections),
  ])
  expect(guide.map(rowsOf)).toEqual(distributions.map(() => cases))
})

test('the README has the first benchmark table of the performance guide', () => {
  expect(tablesIn('README.md')).toEqual(guide.slice(0, 1))
})
