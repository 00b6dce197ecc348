import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { endpointIds, operationsAnswering } from '../support/answers.ts'

/**
 * Every error that an operation declares is provoked by some test. Tests say which by calling answers(), which checks
 * it; the calls are found by their text. uncovered-refusals.txt lists the errors that no test provokes.
 */

const tests = new URL('../', import.meta.url)
const uncovered = new URL('uncovered-refusals.txt', import.meta.url)

test('every declared error is provoked by a test or listed as uncovered', async () => {
  const covered = await coveredPairs()
  const declared = endpointIds.flatMap((id) => refusalsOf(endpoints[id]).map((code) => `${id} ${code}`))
  const missing = declared.filter((pair) => !covered.has(pair)).sort()
  expect((await readFile(uncovered, 'utf8')).split('\n').filter(Boolean)).toEqual(missing)
})

test('tests provoke declared errors only', async () => {
  const declared = new Set(endpointIds.flatMap((id) => refusalsOf(endpoints[id]).map((code) => `${id} ${code}`)))
  expect([...(await coveredPairs())].filter((pair) => !declared.has(pair))).toEqual([])
})

async function coveredPairs(): Promise<Set<string>> {
  const covered = new Set<string>()
  for (const name of await readdir(tests, { recursive: true })) {
    if (!name.endsWith('.test.ts')) continue
    const text = await readFile(new URL(name, tests), 'utf8')
    for (const [, id, code] of text.matchAll(/\banswers\(\s*'(\w+)',\s*'(\w+)'/g)) covered.add(`${id} ${code}`)
    // Only the two every-endpoint files have such calls, which cover every operation that declares the code.
    if (!/^contract\/every-endpoint(-faults)?\.test\.ts$/.test(name)) continue
    for (const [, code] of text.matchAll(/\beveryOperation(?:AtOnce)?\(\s*'(\w+)'/g)) {
      for (const id of endpointIds) {
        if (operationsAnswering(codeOf(code)).includes(id)) covered.add(`${id} ${code}`)
      }
    }
  }
  return covered
}

function codeOf(text: string | undefined) {
  const code = endpointIds.flatMap((id) => refusalsOf(endpoints[id])).find((declared) => declared === text)
  if (code === undefined) throw new Error(`No operation declares ${text}.`)
  return code
}
