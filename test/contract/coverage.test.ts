import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { endpointIds, operationsAnswering } from '../support/answers.ts'

/**
 * Checks that at least one test causes each error that an operation declares. A test declares the error that it checks
 * by calling answers(), and this check finds the calls in the source text. uncovered-refusals.txt lists the errors that
 * no test causes.
 */

const tests = new URL('../', import.meta.url)
const uncovered = new URL('uncovered-refusals.txt', import.meta.url)

test('every error that an operation declares is returned in a test or listed as uncovered', async () => {
  const covered = await coveredPairs()
  const declared = endpointIds.flatMap((id) => refusalsOf(endpoints[id]).map((code) => `${id} ${code}`))
  const missing = declared.filter((pair) => !covered.has(pair)).sort()
  expect((await readFile(uncovered, 'utf8')).split('\n').filter(Boolean)).toEqual(missing)
})

test('every error that a test receives from an operation is declared by the operation', async () => {
  const declared = new Set(endpointIds.flatMap((id) => refusalsOf(endpoints[id]).map((code) => `${id} ${code}`)))
  expect([...(await coveredPairs())].filter((pair) => !declared.has(pair))).toEqual([])
})

async function coveredPairs(): Promise<Set<string>> {
  const covered = new Set<string>()
  for (const name of await readdir(tests, { recursive: true })) {
    if (!name.endsWith('.test.ts')) continue
    const text = await readFile(new URL(name, tests), 'utf8')
    for (const [, id, code] of text.matchAll(/\banswers\(\s*'(\w+)',\s*'(\w+)'/g)) covered.add(`${id} ${code}`)
    // Only the two every-endpoint test files call everyOperation(), which covers every operation that declares an error
    // code.
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
